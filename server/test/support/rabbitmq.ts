import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenDirectory } from './open-directory.ts';
import { freePort, opened } from './ports.ts';

const SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const NOBODY = 65_534;
const START_LIMIT_MS = 120_000;

/** Throws where Debian's rabbitmq-server is not installed: a proof that skips proves nothing. */
export function requireRabbitmq(): void {
  if (!existsSync(SERVER)) {
    throw new Error(
      'This proof needs RabbitMQ with its MQTT plugin: apt-get install rabbitmq-server',
    );
  }
}

export interface RabbitNode {
  readonly url: string;
  /** Kills it, as a failure of its machine does. */
  kill(): Promise<void>;
  /** Starts it again, with what it has on disk. */
  start(): Promise<void>;
}

export interface RabbitCluster {
  readonly nodes: readonly RabbitNode[];
  stop(): Promise<void>;
}

/** A cluster on loopback whose MQTT sessions are quorum queues. */
export async function startRabbitmq(size: number): Promise<RabbitCluster> {
  const directory = createOpenDirectory('fieldwatch-rabbitmq-');
  const epmdPort = await freePort();
  const epmd = spawn('epmd', ['-port', String(epmdPort), '-address', '127.0.0.1'], identity());
  await opened(epmdPort, { name: 'epmd', limitMs: START_LIMIT_MS });
  const names = Array.from({ length: size }, (_, index) => `fieldwatch${index + 1}@localhost`);
  const nodes: (RabbitNode & { end(): Promise<void> })[] = [];
  for (const name of names) {
    const node = await createNode({ directory: directory.path, name, names, epmdPort });
    nodes.push(node);
    await node.start();
  }
  return {
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.end()));
      epmd.kill('SIGKILL');
      directory.remove();
    },
  };
}

/** Root runs it as another user. */
const identity = () =>
  process.getuid?.() === 0
    ? ({ uid: NOBODY, gid: NOBODY, stdio: 'ignore' } as const)
    : ({ stdio: 'ignore' } as const);

async function createNode(options: {
  readonly directory: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly epmdPort: number;
}) {
  const { directory, name, names, epmdPort } = options;
  const home = join(directory, name);
  mkdirSync(home);
  chmodSync(home, 0o777);
  const port = await freePort();
  const lines = [
    'listeners.tcp = none',
    `mqtt.listeners.tcp.1 = 127.0.0.1:${port}`,
    'mqtt.durable_queue_type = quorum',
    'mqtt.prefetch = 64',
    'cluster_formation.peer_discovery_backend = rabbit_peer_discovery_classic_config',
    ...names.map((each, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${each}`),
  ];
  writeFileSync(join(home, 'rabbitmq.conf'), `${lines.join('\n')}\n`);
  writeFileSync(join(home, 'plugins'), '[rabbitmq_mqtt].\n');
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: directory,
    LANG: 'C.UTF-8',
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: name,
    RABBITMQ_DIST_PORT: String(await freePort()),
    RABBITMQ_BASE: home,
    RABBITMQ_MNESIA_BASE: join(home, 'db'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_PID_FILE: join(home, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 -kernel inet_dist_use_interface {127,0,0,1}',
  };
  let child: ChildProcess | undefined;
  const end = async () => {
    if (!child) return;
    const closed = once(child, 'close');
    process.kill(Number(readFileSync(env.RABBITMQ_PID_FILE, 'utf8')), 'SIGKILL');
    await closed;
    child = undefined;
  };
  return {
    url: `mqtt://guest:guest@127.0.0.1:${port}`,
    kill: end,
    end,
    async start() {
      child = spawn(SERVER, [], { env, ...identity() });
      await opened(port, { name: 'RabbitMQ', limitMs: START_LIMIT_MS });
    },
  };
}
