import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Config } from '../../../config.ts';
import { listNodes, readKnownNodeIds } from '../../../nodes/index.ts';
import {
  type CertificateFiles,
  readCertificate,
  readSecret,
  StartFailure,
  systemClock,
} from '../../../runtime/index.ts';
import {
  type EngineOptions,
  findDatabase,
  inspectDatabase,
  type Queries,
  type Target,
  withOwnDatabase,
  withQueries,
} from '../../../storage/index.ts';
import { examineBroker } from './broker.ts';
import type { CertificateFacts, DatabaseState, DirectoryFacts, Facts, PortFacts } from './facts.ts';
import { examinePort } from './ports.ts';

/** Finds out everything that is judged. The embedded PostgreSQL is started for it if it is stopped. */
export async function gatherFacts(
  config: Config,
  engine: EngineOptions,
  unknownSettings: readonly string[],
): Promise<Facts> {
  const { state, isServerRunning } = await examineDatabase(config, engine);
  const ports = await examinePorts(config);
  return {
    nowMs: systemClock.now(),
    unknownSettings,
    isRoot: process.getuid?.() === 0,
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || totalmem()),
    maxOpenFiles: readMaxOpenFiles(),
    dataDir: examineDirectory(config.dataDir),
    ports: isServerRunning ? ports.map(own) : ports,
    certificates: examineCertificates(config),
    broker: config.mqtt.url === null ? null : await examineBroker(config.mqtt.url),
    database: state,
  };
}

/** The ports of a server that runs are in use, by itself. */
function own(facts: PortFacts): PortFacts {
  return facts.state === 'USED' ? { ...facts, state: 'OWN', holder: null } : facts;
}

async function examinePorts({ http, mqtt }: Config): Promise<PortFacts[]> {
  const { host } = http;
  const ports = [await examinePort('FIELDWATCH_HTTP_PORT', { host, port: http.port })];
  if (mqtt.url !== null) return ports;
  return [...ports, await examinePort('FIELDWATCH_MQTT_PORT', { host, port: mqtt.port })];
}

function readMaxOpenFiles(): number | null {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line ? Number(line[1]) : null;
  } catch {
    return null;
  }
}

/** A directory that does not exist is judged by the nearest one above it, where it would be made. */
function examineDirectory(path: string): DirectoryFacts {
  let nearest = path;
  for (;;) {
    try {
      if (!statSync(nearest).isDirectory()) {
        return { path, problem: `cannot be used: ${nearest} is not a directory`, freeBytes: null };
      }
      accessSync(nearest, constants.W_OK | constants.X_OK);
      const { bavail, bsize } = statfsSync(nearest);
      return { path, problem: null, freeBytes: bavail * bsize };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || nearest === dirname(nearest)) {
        return { path, problem: `cannot be written: ${code}`, freeBytes: null };
      }
      nearest = dirname(nearest);
    }
  }
}

function examineCertificates({ http, mqtt }: Config): CertificateFacts[] {
  return [
    ...(http.tls ? [examineCertificate('FIELDWATCH_HTTP_TLS', http.tls)] : []),
    ...(mqtt.tls ? [examineCertificate('FIELDWATCH_MQTT_TLS', mqtt.tls)] : []),
  ];
}

function examineCertificate(prefix: string, files: CertificateFiles): CertificateFacts {
  const setting = `${prefix}_CERT`;
  try {
    const { validFrom, validTo } = new X509Certificate(readCertificate(files, prefix).cert);
    const [startsAt, expiresAt] = [Date.parse(validFrom), Date.parse(validTo)];
    return { setting, problem: null, startsAt, expiresAt };
  } catch (error) {
    return { setting, problem: sentenceOf(error), startsAt: null, expiresAt: null };
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  return `The database cannot be examined: ${error instanceof Error ? error.message : error}.`;
}

interface Examined {
  readonly state: DatabaseState;
  readonly isServerRunning: boolean;
}

async function examineDatabase(config: Config, engine: EngineOptions): Promise<Examined> {
  const examine = (target: Target) => withQueries(target, (db) => examineConnected(db, config));
  try {
    const found = await findDatabase(config);
    if (found.state === 'RUNNING') return await examine(found.target);
    if (found.state === 'STOPPED') {
      return await withOwnDatabase({ ...engine, mayCreateCluster: false }, examine);
    }
    const state = { kind: 'MISSING', secretProblem: missingDatabaseProblem(config) } as const;
    return { state, isServerRunning: false };
  } catch (error) {
    const isEmbedded = config.databaseUrl === null;
    return {
      state: { kind: 'UNREACHABLE', problem: sentenceOf(error), isEmbedded },
      isServerRunning: false,
    };
  }
}

/** A key without a database is that of an installation that was lost, unless it is a setting. */
function missingDatabaseProblem({ secretKey, dataDir }: Config): string | null {
  if (secretKey !== null) return null;
  try {
    if (readSecret(null, dataDir) === null) return null;
    return `secret.key in FIELDWATCH_DATA_DIR (${dataDir}) belongs to an installation, and its database is missing.`;
  } catch (error) {
    return sentenceOf(error);
  }
}

async function examineConnected(db: Queries, config: Config): Promise<Examined> {
  const facts = await inspectDatabase(db, { clock: systemClock, secret: config });
  const ownIds = readKnownNodeIds(config.dataDir);
  const isUsable = facts.migrationProblem === null && facts.pendingMigrations === 0;
  const nodes = isUsable ? await listNodes(db) : [];
  return {
    state: { kind: 'REACHED', ...facts },
    isServerRunning: nodes.some(({ id, hasSessions }) => hasSessions && ownIds.includes(id)),
  };
}
