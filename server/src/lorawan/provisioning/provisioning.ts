import type { Clock } from '../../runtime/index.ts';
import type { Queries, Transaction } from '../../storage/index.ts';
import type { NetworkRow } from '../networks/index.ts';
import * as store from './store.ts';
import { Worker, type WorkerDeps } from './worker.ts';

/** What of a Device is registered. */
interface RegisteredFields {
  readonly name: string;
  readonly devEui: string | null;
  readonly gatewayEui: string | null;
  readonly appEui: string | null;
  readonly encryptedAppKey: Buffer | null;
}

/** An edit of a Device; without `after`, its deletion. */
export interface SavedDevice {
  readonly deviceId: string;
  readonly before: RegisteredFields;
  readonly after: RegisteredFields | null;
}

/**
 * What is registered at network servers by this one. Requests are stored in the transaction of the edit
 * that causes them, and served by the worker of any node.
 */
export class Provisioning {
  readonly #clock: Clock;
  readonly #storage: Queries;
  readonly #worker: Worker;

  constructor(deps: WorkerDeps) {
    this.#clock = deps.clock;
    this.#storage = deps.storage;
    this.#worker = new Worker(deps);
  }

  states(): Promise<store.StateCounts> {
    return store.countStates(this.#storage);
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Within the transaction of an edit or a deletion of a Device. */
  async deviceSaved(
    tx: Transaction,
    organizationId: string,
    { deviceId, before, after }: SavedDevice,
  ): Promise<void> {
    if (euiOf(before) === null) return;
    if (after === null) {
      await this.#remove(tx, organizationId, deviceId, NOTHING);
      return;
    }
    const hasNewFields = before.name !== after.name || before.appEui !== after.appEui;
    const hasNewKeys = !isSame(before.encryptedAppKey, after.encryptedAppKey);
    if (euiOf(before) !== euiOf(after)) await this.#remove(tx, organizationId, deviceId, NOTHING);
    else if (!hasNewFields && !hasNewKeys) return;
    await this.#request(tx, organizationId, { deviceId, hasNewFields, hasNewKeys });
  }

  /** Within the transaction in which a sensor or gateway got another network or profile. */
  async radioSaved(
    tx: Transaction,
    organizationId: string,
    deviceId: string,
    radio: store.Kept & { readonly hasNewFields: boolean },
  ): Promise<void> {
    await this.#remove(tx, organizationId, deviceId, radio);
    const { hasNewFields } = radio;
    await this.#request(tx, organizationId, { deviceId, hasNewFields, hasNewKeys: false });
  }

  /** Within the transaction of an edit of a network. */
  async networkSaved(
    tx: Transaction,
    organizationId: string,
    { before, after }: { readonly before: NetworkRow; readonly after: NetworkRow },
  ): Promise<void> {
    if (!isPushing(after)) {
      if (isPushing(before)) await store.suspendNetwork(tx, organizationId, after.id);
      return;
    }
    if (isPushing(before) && REGISTERED_WITH.every((name) => isSame(before[name], after[name]))) {
      return;
    }
    await store.requestNetwork(tx, organizationId, after.id, this.#clock.now());
    tx.afterCommit(() => this.#worker.wake());
  }

  async #request(
    tx: Transaction,
    organizationId: string,
    request: Omit<store.Request, 'now'>,
  ): Promise<void> {
    await store.requestDevice(tx, organizationId, { ...request, now: this.#clock.now() });
    tx.afterCommit(() => this.#worker.wake());
  }

  async #remove(
    tx: Transaction,
    organizationId: string,
    deviceId: string,
    kept: store.Kept,
  ): Promise<void> {
    await store.requestRemoval(tx, organizationId, deviceId, kept, this.#clock.now());
    tx.afterCommit(() => this.#worker.wake());
  }
}

const NOTHING: store.Kept = { networkId: null, eui: null };

const euiOf = ({ devEui, gatewayEui }: RegisteredFields) => devEui ?? gatewayEui;

const isPushing = ({ provisioning, isActive }: NetworkRow) => provisioning === 'PUSH' && isActive;

const REGISTERED_WITH = [
  ...(['apiUrl', 'encryptedApiToken', 'applicationId', 'deviceProfileId'] as const),
  ...(['frequencyPlanId', 'macVersion', 'phyVersion'] as const),
] as const;

function isSame(a: string | Buffer | null, b: string | Buffer | null): boolean {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b;
}
