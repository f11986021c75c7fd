import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDir } from '../../support/data-dir.ts';
import { freePort } from '../../support/ports.ts';
import type { Random } from '../../support/random.ts';
import type { Endpoint } from '../harness.ts';
import { Service } from '../service.ts';
import { Timeline } from '../timeline.ts';
import type { Database } from './database.ts';

const POLL_MS = 50;
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** A server on the database of the cluster, in a process of its own, at ports that never change. */
export class ClusterNode {
  readonly name: string;
  readonly service: Service;
  readonly http: Endpoint;
  readonly mqtt: Endpoint;
  readonly #dataDir: ReturnType<typeof createDataDir>;
  /** What was done to this node alone. */
  readonly timeline = new Timeline();
  isHalted = false;
  #endSilence: () => void = () => undefined;

  constructor(
    name: string,
    dataDir: ReturnType<typeof createDataDir>,
    service: Service,
    ports: { readonly http: number; readonly mqtt: number },
  ) {
    this.name = name;
    this.service = service;
    this.#dataDir = dataDir;
    this.http = { port: ports.http };
    this.mqtt = { port: ports.mqtt };
  }

  get id(): string {
    return readFileSync(join(this.#dataDir.path, 'node-id'), 'utf8').trim();
  }

  get isRunning(): boolean {
    return this.service.httpPort !== 0;
  }

  get isResponsive(): boolean {
    return this.isRunning && !this.isHalted;
  }

  halt(): void {
    this.isHalted = true;
    this.#endSilence = this.timeline.beginSilence();
    this.service.signal('SIGSTOP');
  }

  wake(): void {
    this.service.signal('SIGCONT');
    this.isHalted = false;
    this.#endSilence();
  }

  /** The status of `/readyz`; 0 when nothing answers. */
  async readiness(): Promise<number> {
    const signal = AbortSignal.timeout(3_000);
    const url = `http://127.0.0.1:${this.http.port}/readyz`;
    return await fetch(url, { signal }).then(
      ({ status }) => status,
      () => 0,
    );
  }

  async remove(): Promise<void> {
    await this.service.stop();
    this.#dataDir.remove();
  }
}

export interface ClusterOptions {
  readonly database: Database;
  readonly outputDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly nodeFlags: readonly string[];
}

/** The nodes of a run. */
export class Cluster {
  readonly database: Database;
  readonly nodes: ClusterNode[] = [];
  readonly #options: ClusterOptions;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.database = options.database;
  }

  /** A node that is not started yet. */
  async add(): Promise<ClusterNode> {
    const { database, outputDir, env, nodeFlags } = this.#options;
    const name = `node-${this.nodes.length + 1}`;
    const dataDir = createDataDir();
    const ports = { http: await freePort(), mqtt: await freePort() };
    const service = new Service({
      dataDir: dataDir.path,
      logFile: join(outputDir, `${name}.log`),
      nodeFlags,
      env: {
        ...env,
        DATABASE_URL: database.url,
        FIELDWATCH_SECRET_KEY: SECRET_KEY,
        FIELDWATCH_HTTP_PORT: String(ports.http),
        FIELDWATCH_MQTT_PORT: String(ports.mqtt),
      },
    });
    const node = new ClusterNode(name, dataDir, service, ports);
    this.nodes.push(node);
    return node;
  }

  /** Nodes that have started, halted ones too: clients do not know which those are. */
  get running(): readonly ClusterNode[] {
    return this.nodes.filter(({ isRunning }) => isRunning);
  }

  get responsive(): readonly ClusterNode[] {
    return this.nodes.filter(({ isResponsive }) => isResponsive);
  }

  /** Another running node at each look. */
  endpoint(protocol: 'http' | 'mqtt', random: Random, among: () => readonly ClusterNode[]) {
    return {
      get port(): number {
        const nodes = among();
        return nodes.length === 0 ? 1 : random.pick(nodes)[protocol].port;
      },
    };
  }

  async owners(): Promise<ReadonlyMap<number, string>> {
    const rows = await this.database.query<{ number: number; owner: string }>(
      'select number, owner from partitions',
    );
    return new Map(rows.map(({ number, owner }) => [number, owner]));
  }

  async epochOf({ id }: ClusterNode): Promise<string> {
    const rows = await this.database.query<{ epoch: string }>(
      'select epoch from nodes where id = $1',
      [id],
    );
    return rows[0]?.epoch ?? '0';
  }

  /** Resolves when every partition belongs to a living node, other than this incarnation. */
  async owned(besides: { readonly id: string; readonly epoch: string }): Promise<void> {
    for (;;) {
      const rows = await this.database.query(
        `select number from partitions join nodes on nodes.id = owner
         where lost_at is null and (owner <> $1 or epoch > $2)`,
        [besides.id, besides.epoch],
      );
      if (rows.length === 256) return;
      await sleep(POLL_MS);
    }
  }

  /** Resolves when each of these nodes has its share of the partitions and is ready. */
  async balanced(nodes: readonly ClusterNode[], limitMs: number): Promise<boolean> {
    const end = Date.now() + limitMs;
    while (Date.now() < end) {
      const owners = [...(await this.owners()).values()];
      const least = Math.floor(256 / nodes.length);
      const isEven = nodes.every(({ id }) => owners.filter((each) => each === id).length >= least);
      if (isEven) {
        const statuses = await Promise.all(nodes.map((node) => node.readiness()));
        if (statuses.every((status) => status === 200)) return true;
      }
      await sleep(200);
    }
    return false;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
  }
}

/** The partition of a Device, as the documents define it: the last byte of its id. */
export function partitionOf(deviceId: string): number {
  return Number.parseInt(deviceId.slice(-2), 16);
}
