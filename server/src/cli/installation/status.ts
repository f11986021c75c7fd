import { listOrganizations } from '../../access/index.ts';
import type { Config } from '../../config.ts';
import { listNodes, type NodeRow, readKnownNodeIds } from '../../nodes/index.ts';
import { countAll } from '../../overview/index.ts';
import { isoDateTime, systemClock } from '../../runtime/index.ts';
import {
  type DatabaseFacts,
  findDatabase,
  inspectDatabase,
  type Queries,
  withQueries,
} from '../../storage/index.ts';
import { type Command, EXIT, type Paint } from '../command/index.ts';
import { ownVersion } from '../version.ts';
import { type LastBackup, readLastBackup } from './last-backup.ts';
import { addressOf, probe } from './probe.ts';
import { readSettings } from './settings.ts';

interface NodeStatus {
  readonly id: string;
  readonly isHere: boolean;
  readonly state: 'READY' | 'STARTING' | 'STOPPING' | 'LOST';
  readonly version: string;
  readonly address: string;
  readonly startedDateTime: string;
}

interface Counts {
  readonly organizations: number;
  readonly devices: number;
  readonly onlineDevices: number;
  readonly acceptedReadings: number;
}

interface Status {
  readonly version: string;
  readonly isRunning: boolean;
  /** Null where a start chooses the port, or nothing replies there. */
  readonly address: string | null;
  readonly isReady: boolean;
  readonly dataDir: string;
  readonly database: {
    readonly kind: 'EMBEDDED' | 'EXTERNAL';
    readonly state: 'RUNNING' | 'STOPPED' | 'MISSING';
    readonly version: string | null;
    readonly migration: number | null;
  };
  readonly nodes: readonly NodeStatus[];
  readonly counts: Counts | null;
  readonly lastBackup: LastBackup | null;
}

/** A node alone lets its lease end, so its sessions say whether it runs. */
function nodeStatusOf(row: NodeRow, ownIds: readonly string[]): NodeStatus {
  const { id, version, address, startedAt, lostAt, hasSessions, isStopping, isReady } = row;
  const running = isStopping ? 'STOPPING' : isReady ? 'READY' : 'STARTING';
  return {
    ...{ id, version, address },
    isHere: ownIds.includes(id),
    state: hasSessions && lostAt === null ? running : 'LOST',
    startedDateTime: isoDateTime(startedAt),
  };
}

async function countsOf(db: Queries): Promise<Counts> {
  const organizations = await listOrganizations(db);
  const counts = { devices: 0, onlineDevices: 0, acceptedReadings: 0 };
  for (const { id } of organizations) {
    const own = await countAll(db, id);
    counts.devices += own.deviceCount;
    counts.onlineDevices += own.onlineDeviceCount;
    counts.acceptedReadings += own.acceptedReadingCount;
  }
  return { organizations: organizations.length, ...counts };
}

interface Inspected {
  readonly facts: DatabaseFacts | null;
  readonly nodes: readonly NodeStatus[];
  readonly counts: Counts | null;
}

const NOTHING: Inspected = { facts: null, nodes: [], counts: null };

async function inspect(db: Queries, config: Config): Promise<Inspected> {
  const facts = await inspectDatabase(db, { clock: systemClock, secret: config });
  const isUsable = facts.migrationProblem === null && facts.pendingMigrations === 0;
  if (!isUsable) return { ...NOTHING, facts };
  const ownIds = readKnownNodeIds(config.dataDir);
  const nodes = (await listNodes(db)).map((row) => nodeStatusOf(row, ownIds));
  return { facts, nodes, counts: await countsOf(db) };
}

async function readStatus(config: Config): Promise<Status> {
  const found = await findDatabase(config);
  const { facts, nodes, counts } =
    found.state === 'RUNNING'
      ? await withQueries(found.target, (db) => inspect(db, config))
      : NOTHING;
  const isRunning = nodes.some(({ isHere, state }) => isHere && state !== 'LOST');
  const address = isRunning ? addressOf(config) : null;
  const isReady = address !== null && (await probe(`${address}/readyz`)) === 200;
  return {
    version: ownVersion(),
    ...{ isRunning, address, isReady },
    dataDir: config.dataDir,
    database: {
      kind: config.databaseUrl === null ? 'EMBEDDED' : 'EXTERNAL',
      state: found.state,
      version: facts?.version ?? null,
      migration: facts?.migration ?? null,
    },
    ...{ nodes, counts },
    lastBackup: readLastBackup(config.dataDir),
  };
}

function serverText({ isRunning, address, isReady }: Status, paint: Paint): string {
  if (!isRunning) return paint.yellow('not running on this machine');
  if (address === null) return paint.green('running, on a port that its start chose');
  return isReady
    ? `${paint.green('ready')} at ${address}`
    : `${paint.yellow('running, not ready')} at ${address}`;
}

function statusLines(status: Status, paint: Paint): string[] {
  const { database, nodes, counts, lastBackup } = status;
  const kind = database.kind === 'EMBEDDED' ? 'embedded PostgreSQL' : 'external PostgreSQL';
  const known = database.version === null ? '' : ` ${database.version}`;
  const rows: (readonly [string, string])[] = [
    ['Server', serverText(status, paint)],
    ['Version', status.version],
    ['Data', status.dataDir],
    [
      'Database',
      `${kind}${known}, ${database.state.toLowerCase()}${database.migration === null ? '' : `, migration ${database.migration}`}`,
    ],
    ...nodes.map((node): readonly [string, string] => [
      'Node',
      `${node.id} ${node.state.toLowerCase()}, version ${node.version}, at ${node.address}${node.isHere ? ', this machine' : ''}`,
    ]),
    ...(counts
      ? ([
          ['Devices', `${counts.devices}, ${counts.onlineDevices} of them online`],
          ['Readings', `${counts.acceptedReadings} accepted`],
          ['Organizations', `${counts.organizations}`],
        ] as const)
      : []),
    [
      'Last backup',
      lastBackup
        ? `${lastBackup.createdDateTime}, ${lastBackup.file}`
        : 'none with this data directory',
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${paint.bold(name.padEnd(width))}  ${value}`);
}

export const runStatus: Command['run'] = async (_, terminal) => {
  const status = await readStatus(readSettings(terminal));
  terminal.answer(status, statusLines(status, terminal.paint));
  return status.isRunning ? EXIT.OK : EXIT.FAILED;
};
