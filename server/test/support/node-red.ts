import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODES = fileURLToPath(new URL('../../../integrations/node-red/nodes/', import.meta.url));
const TYPES = ['server', 'readings', 'live', 'alarms', 'acknowledge'] as const;

export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly wires?: readonly (readonly string[])[];
  readonly [field: string]: unknown;
}

export type Message = Record<string, unknown>;

/** A node of a deployed flow. */
export interface DeployedNode {
  receive(message: Message): void;
  on(event: 'input', listener: (message: Message) => void): unknown;
}

/** Deploys flows of the nodes of this repository. Nodes of the type `helper` receive messages. */
export interface NodeRed {
  deploy(flow: readonly FlowNode[], credentials: Record<string, Message>): Promise<void>;
  node(id: string): DeployedNode;
  /** What the editor shows below the node. */
  statusOf(id: string): string | undefined;
  stop(): Promise<void>;
}

/** As sinon records it. */
interface StatusCall {
  readonly thisValue: unknown;
  readonly args: readonly [{ readonly text: string }];
}

type Register = (red: object) => void;

const loaded = (): Register[] => {
  const load = createRequire(import.meta.url);
  return TYPES.map((type) => load(join(NODES, `fieldwatch-${type}.js`)) as Register);
};

/** Node-RED itself, from a folder in which it is installed together with its helper for tests. */
export async function startNodeRed(folder: string): Promise<NodeRed> {
  const load = createRequire(join(folder, 'package.json'));
  const helper = load('node-red-node-test-helper');
  helper.init(load.resolve('node-red'));
  await new Promise<void>((resolve) => helper.startServer(resolve));
  return {
    deploy: (flow, credentials) => helper.load(loaded(), flow, credentials),
    node: (id) => helper.getNode(id),
    statusOf(id) {
      const node = helper.getNode(id);
      const calls: readonly StatusCall[] = node.status.getCalls();
      return calls.findLast(({ thisValue }) => thisValue === node)?.args[0].text;
    },
    async stop() {
      await helper.unload();
      await new Promise<void>((resolve) => helper.stopServer(resolve));
    },
  };
}

/** As much of the runtime of Node-RED as the nodes use, since its 130 MB are installed apart. */
export function imitateNodeRed(): NodeRed {
  const nodes = new Map<string, ImitatedNode>();
  return {
    async deploy(flow, credentials) {
      const types = new Map<string, (this: object, config: FlowNode) => void>();
      const red = {
        nodes: {
          createNode(node: ImitatedNode, config: FlowNode) {
            node.begin(config, credentials[config.id] ?? {}, (id) => nodes.get(id));
          },
          registerType: (name: string, create: (config: FlowNode) => void) =>
            void types.set(name, create),
          getNode: (id: string) => nodes.get(id) ?? null,
        },
      };
      for (const register of loaded()) register(red);
      for (const config of flow) {
        const node = new ImitatedNode();
        nodes.set(config.id, node);
        if (config.type === 'helper') red.nodes.createNode(node, config);
        else types.get(config.type)?.call(node, config);
      }
    },
    node(id) {
      const node = nodes.get(id);
      if (!node) throw new Error(`there is no node ${id}`);
      return node;
    },
    statusOf: (id) => nodes.get(id)?.shown,
    async stop() {
      for (const node of nodes.values()) node.emit('close', () => undefined);
    },
  };
}

type Find = (id: string) => ImitatedNode | undefined;

class ImitatedNode extends EventEmitter implements DeployedNode {
  credentials: Message = {};
  shown: string | undefined;
  #config: FlowNode = { id: '', type: '' };
  #find: Find = () => undefined;

  begin(config: FlowNode, credentials: Message, find: Find): void {
    this.#config = config;
    this.credentials = credentials;
    this.#find = find;
  }

  receive(message: Message): void {
    const done = (error?: Error) => error && this.error(error, message);
    this.emit('input', message, (sent: Message) => this.send(sent), done);
  }

  send(message: Message): void {
    for (const id of this.#config.wires?.flat() ?? []) this.#find(id)?.receive(message);
  }

  status({ text }: { readonly text: string }): void {
    this.shown = text;
  }

  warn(_text: string): void {}

  error(error: Error, _message: Message): void {
    this.emit('call:error', { firstArg: error });
  }
}
