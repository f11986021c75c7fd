import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { type Answered, basic, type Call, call, send } from './call.ts';
import { createDataDir } from './data-dir.ts';
import { createTestDatabase } from './postgres.ts';
import { type ServerProcess, spawnServer } from './process.ts';
import { storedReadings } from './reporter.ts';
import { composeServer, SECRET_KEY } from './server.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000cc';
const KEY = { id: 'nodes-key', secret: 'nodes-secret-of-32-characters-or-more' };
const auth = basic(KEY.id, KEY.secret);
const START = 1_700_000_000_000;
const eventually = { timeout: 30_000, interval: 100 };

/** A server on the database of the cluster. */
export interface Node {
  readonly id: string;
  readonly url: string;
  readonly mqttUrl: string;
  readonly dataDir: ReturnType<typeof createDataDir>;
  /** Everything that it has logged. */
  output(): string;
  isRunning(): boolean;
  /** Stops it in good order. */
  stop(): Promise<void>;
}

/** One in a process of its own, which can be killed and halted. */
export interface NodeProcess extends Node {
  readonly process: ServerProcess;
}

/** A Device with one Variable, which reports through any node. */
export interface Point {
  readonly deviceId: string;
  readonly variableId: string;
  /** The MQTT topic of the Device. */
  readonly topic: string;
  readonly password: string;
  report(to: Node, index: number): ReturnType<typeof call>;
  /** The stored values as a node sees them. */
  valuesAt(node: Node, endTime?: number): Promise<number[]>;
  /** The stored readings as a CSV file. */
  fileAt(node: Node): Promise<Answered>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type Settings = Readonly<Record<string, string>>;

/**
 * Several nodes on one database, with these settings each. Tests share it, because starts are slow.
 * A node that is neither killed nor halted runs in the process of the test: its start takes a
 * fraction of the processor time of a process.
 */
export async function startCluster(settings: Settings = {}) {
  const database = await createTestDatabase();
  const db = new pg.Pool({ connectionString: database.url, max: 2 });
  // Its end does not wait for its connections, which the removal of the database may break.
  db.on('error', () => undefined);
  const spawned: ServerProcess[] = [];
  const locals: Node[] = [];
  const processes: NodeProcess[] = [];
  const directories: { remove(): void }[] = [];

  const settingsOf = (dataDir: { readonly path: string }, env: Settings) => ({
    FIELDWATCH_DATA_DIR: dataDir.path,
    FIELDWATCH_ORGANIZATION_ID: organizationId,
    FIELDWATCH_API_KEY_ID: KEY.id,
    FIELDWATCH_API_KEY_SECRET: KEY.secret,
    FIELDWATCH_SECRET_KEY: SECRET_KEY,
    DATABASE_URL: database.url,
    ...settings,
    ...env,
  });

  function spawnNode(dataDir: { readonly path: string }, env: Settings = {}): ServerProcess {
    const process = spawnServer(settingsOf(dataDir, env));
    spawned.push(process);
    return process;
  }

  async function startNode(dataDir = createDataDir(), env: Settings = {}): Promise<NodeProcess> {
    directories.push(dataDir);
    const process = spawnNode(dataDir, env);
    const url = await process.ready;
    // With an external broker the node has no MQTT port.
    if (!{ ...settings, ...env }.FIELDWATCH_MQTT_URL) {
      await vi.waitFor(() => expect(mqttUrlIn(process.output())).toMatch(/^mqtts?:/), eventually);
    }
    const node: NodeProcess = {
      ...{ id: nodeIdIn(dataDir), url, mqttUrl: mqttUrlIn(process.output()) ?? '', dataDir },
      ...{ process, output: process.output, isRunning: () => isRunning(process.child) },
      async stop() {
        process.child.kill('SIGTERM');
        expect(await process.ended).toMatchObject({ code: 0 });
      },
    };
    processes.push(node);
    return node;
  }

  async function startLocal(dataDir = createDataDir(), env: Settings = {}): Promise<Node> {
    directories.push(dataDir);
    const { service, output } = await composeServer(settingsOf(dataDir, env));
    let isStopped = false;
    const node: Node = {
      ...{ id: nodeIdIn(dataDir), url: `http://127.0.0.1:${service.port}`, dataDir, output },
      mqttUrl: service.mqttPort === null ? '' : `mqtt://127.0.0.1:${service.mqttPort}`,
      isRunning: () => !isStopped,
      async stop() {
        isStopped = true;
        await service.stop();
      },
    };
    locals.push(node);
    return node;
  }

  async function killNode({ process }: NodeProcess): Promise<void> {
    process.child.kill('SIGKILL');
    await process.ended;
  }

  /**
   * Exactly so many nodes, with their share of the partitions: some are started or stopped. The last
   * ones, as many as are to be killed or halted, are in processes of their own.
   */
  function nodes(count: 1): Promise<[Node]>;
  function nodes(count: 2): Promise<[Node, Node]>;
  function nodes(count: 3): Promise<[Node, Node, Node]>;
  function nodes(count: 2, killable: 1): Promise<[Node, NodeProcess]>;
  function nodes(count: 3, killable: 1): Promise<[Node, Node, NodeProcess]>;
  async function nodes(count: number, killable = 0): Promise<Node[]> {
    const [own, others] = [processes, locals].map((all) => all.filter((each) => each.isRunning()));
    const [inProcesses, inTest] = [own ?? [], others ?? []];
    const surplus = inProcesses.splice(Math.max(killable, count - inTest.length));
    surplus.push(...inTest.splice(count - Math.max(killable, inProcesses.length)));
    for (const node of surplus) await node.stop();
    while (inProcesses.length < killable) inProcesses.push(await startNode());
    while (inProcesses.length + inTest.length < count) inTest.push(await startLocal());
    const running = [...inTest, ...inProcesses];
    await balanced(...running);
    return running;
  }

  async function stop(): Promise<void> {
    for (const { child } of spawned) child.kill('SIGKILL');
    await Promise.all(spawned.map(({ ended }) => ended));
    for (const node of locals) if (node.isRunning()) await node.stop();
    for (const each of directories) each.remove();
    await db.end();
    await database.drop();
  }

  async function ownerOf(deviceId: string): Promise<string | null> {
    const { rows } = await db.query(
      'select owner from partitions where number = partition_of($1::uuid)',
      [deviceId],
    );
    return rows[0]?.owner ?? null;
  }

  async function partitionsOf({ id }: Node): Promise<number> {
    const { rows } = await db.query('select number from partitions where owner = $1', [id]);
    return rows.length;
  }

  /** Resolves when each of the nodes has its share of the partitions. */
  async function balanced(...nodes: readonly Node[]): Promise<void> {
    for (const node of nodes) {
      const share = Math.floor(256 / nodes.length);
      await vi.waitFor(
        async () => expect(await partitionsOf(node)).toBeGreaterThanOrEqual(share),
        eventually,
      );
    }
  }

  /** A Device that the node acts for, created at this one or at another. */
  async function newPoint(owner: Node, at = owner): Promise<Point> {
    for (;;) {
      const device = await asked(at, operations.createDevice, {
        body: { type: 'CUSTOM_DEVICE', name: 'Water pump' },
      });
      expect(device.status, device.text).toBe(201);
      if ((await ownerOf(device.body.id)) === owner.id) return pointOf(at, device.body);
    }
  }

  const lifecycle = { spawnNode, startNode, startLocal, killNode, nodes, stop };
  return { ...lifecycle, db, ownerOf, partitionsOf, balanced, newPoint };
}

function isRunning({ exitCode, signalCode }: ServerProcess['child']): boolean {
  return exitCode === null && signalCode === null;
}

function nodeIdIn(dataDir: { readonly path: string }): string {
  return readFileSync(join(dataDir.path, 'node-id'), 'utf8').trim();
}

function mqttUrlIn(output: string): string | undefined {
  return /mqtt:\/\/\S+/.exec(output)?.[0];
}

interface NewDevice {
  readonly id: string;
  readonly credentials: { readonly password: string };
}

/** Where the alarm events of the organization are published, for clients with this API key. */
export const ALARM_EVENTS = { topic: `fieldwatch/${organizationId}/events/alarms`, key: KEY };

/** A node as it is followed by a live stream. */
export function followedNode({ url }: Node) {
  return { url, organizationId, key: auth };
}

/** A request of the owner of the organization to a node. */
export function asked(
  { url }: Node,
  operation: (typeof operations)[keyof typeof operations],
  given: Call,
) {
  return call(url, operation, { auth, ...given, params: { organizationId, ...given.params } });
}

async function pointOf(node: Node, { id: deviceId, credentials }: NewDevice): Promise<Point> {
  const params = { organizationId, deviceId };
  const variable = await asked(node, operations.createVariable, {
    params,
    body: {
      topicPropertyPath: 'water.flow',
      type: 'NUMBER',
      name: 'Water flow',
      isLoggingEnabled: true,
    },
  });
  expect(variable.status, variable.text).toBe(201);
  const variableId: string = variable.body.id;
  return {
    deviceId,
    variableId,
    topic: `fieldwatch/${organizationId}/${deviceId}`,
    password: credentials.password,
    report: (to, index) =>
      asked(to, operations.writeReadings, {
        params,
        body: { timestamp: START + index, data: { 'water.flow': index } },
      }),
    async valuesAt({ url }, endTime = START + 100_000) {
      const stored = await storedReadings(url, { auth, organizationId }, variableId, endTime);
      return stored.map(({ value }) => value as number);
    },
    fileAt: ({ url }) =>
      send(url, 'GET', `/primary/v1/${organizationId}/devices/variables/${variableId}/readings`, {
        auth,
        headers: { accept: 'text/csv' },
      }),
  };
}
