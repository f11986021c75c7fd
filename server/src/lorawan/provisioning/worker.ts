import { decryptAppKey } from '../../devices/index.ts';
import {
  type Clock,
  every,
  type Keyring,
  type Log,
  type Outbound,
  OutboundError,
  type Periodic,
} from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { apiToken } from '../networks/index.ts';
import { createChirpstackRegistrar } from './chirpstack/index.ts';
import { ProvisioningError, type Registrar, type Registration } from './registrar.ts';
import { nextAttemptAt } from './retry.ts';
import * as store from './store.ts';
import { createTheThingsStackRegistrar } from './the-things-stack/index.ts';

export interface WorkerDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
}

const POLL_MS = 2_000;
const BATCH_SIZE = 10;
/** Longer than the calls of a batch take. After a crash another node goes on when it has ended. */
const LEASE_MS = 600_000;

/**
 * Registers and removes sensors and gateways at network servers.
 *
 * Invariant: a row is due until its outcome is stored, and its calls may be repeated. No transaction is
 * open during a call.
 */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #stopping = new AbortController();
  readonly #runs: Periodic;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#runs = every(
      POLL_MS,
      () => this.#run(),
      (error) => deps.log.warn({ err: error }, 'LoRaWAN Devices could not be registered'),
    );
  }

  start(): void {
    this.#runs.start();
  }

  /** There may be something new; without a call it is found within seconds. */
  wake(): void {
    void this.#runs.run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#runs.stop();
  }

  async #run(): Promise<void> {
    const { storage, clock } = this.#deps;
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !this.#stopping.signal.aborted; ) {
      const now = clock.now();
      const tasks = await store.leaseDue(storage, { now, until: now + LEASE_MS, max: BATCH_SIZE });
      const networkIds = [...new Set(tasks.map(({ networkId }) => networkId))];
      await Promise.all(
        networkIds.map((id) => this.#serve(tasks.filter(({ networkId }) => networkId === id))),
      );
      count = tasks.length;
    }
  }

  /** One Device of a network after the other. When the server fails, the others wait as well. */
  async #serve(tasks: readonly store.TaskRow[]): Promise<void> {
    let outage: unknown;
    for (const task of tasks) {
      if (outage !== undefined) {
        await this.#failed(task, outage);
        continue;
      }
      try {
        await this.#attempt(task);
      } catch (error) {
        await this.#failed(task, error);
        if (!isFinal(error)) outage = error;
      }
    }
  }

  async #attempt(task: store.TaskRow): Promise<void> {
    const { storage, log } = this.#deps;
    const isRegistered = await this.#call(task);
    const { kind, eui, networkId: network } = task;
    if (isRegistered) {
      await store.saveRegistered(storage, task);
      log.info({ network, kind, eui }, 'a LoRaWAN Device was registered');
    } else {
      await store.deleteRemoved(storage, task);
      log.info({ network, kind, eui }, 'a LoRaWAN Device was removed from its network server');
    }
  }

  /** Whether it is registered now, or removed. */
  async #call(task: store.TaskRow): Promise<boolean> {
    const registrar = this.#registrarOf(task);
    const { kind, eui, name, hasNewFields, isRemoved } = task;
    if (kind === 'GATEWAY') {
      const isWanted = !isRemoved && name !== null;
      if (isWanted) await registrar.registerGateway({ eui, name, hasNewFields });
      else await registrar.removeGateway(eui);
      return isWanted;
    }
    const sensor = this.#sensorOf(task);
    if (sensor) await registrar.register(sensor);
    else await registrar.remove(eui);
    return sensor !== null;
  }

  #registrarOf(task: store.TaskRow): Registrar {
    const { keyring, outbound } = this.#deps;
    const { organizationId, networkId: id, applicationId, encryptedApiToken } = task;
    if (task.apiUrl === null || encryptedApiToken === null) {
      throw new ProvisioningError('The network has no API key: give it one.', true);
    }
    const token = apiToken.decrypt(keyring, { organizationId, id }, encryptedApiToken);
    const { signal } = this.#stopping;
    const deps = { outbound, signal, url: task.apiUrl, token, networkId: id, applicationId };
    if (task.networkKind === 'CHIRPSTACK_V4') return createChirpstackRegistrar(deps);
    const { frequencyPlanId, macVersion, phyVersion } = task;
    return createTheThingsStackRegistrar({
      ...deps,
      frequencyPlanId: frequencyPlanId ?? '',
      macVersion: macVersion ?? '',
      phyVersion: phyVersion ?? '',
    });
  }

  /** Null for a sensor that shall not be registered, because its Device is gone or has another EUI. */
  #sensorOf(task: store.TaskRow): Registration | null {
    const { organizationId, deviceId, name, appEui, encryptedAppKey } = task;
    if (task.isRemoved || name === null || appEui === null || encryptedAppKey === null) return null;
    const { eui: devEui, hasNewFields, hasNewKeys } = task;
    return {
      ...{ devEui, joinEui: appEui, name, hasNewFields, hasNewKeys },
      appKey: decryptAppKey(this.#deps.keyring, organizationId, deviceId, encryptedAppKey),
      deviceProfileId: task.deviceProfileId ?? task.defaultDeviceProfileId ?? '',
    };
  }

  async #failed(task: store.TaskRow, error: unknown): Promise<void> {
    const { storage, clock, log } = this.#deps;
    const now = clock.now();
    if (this.#stopping.signal.aborted) {
      await store.saveFailed(storage, task, { error: null, isFinal: false, nextAt: now });
      return;
    }
    const { attempts, kind, eui, networkId: network } = task;
    const attempt = { attempts, isFinal: isFinal(error) };
    const nextAt = nextAttemptAt(attempt, now, Math.random());
    const reason = reasonOf(error);
    const about = { network, kind, eui, reason };
    log.warn(about, 'a LoRaWAN Device could not be registered or removed');
    await store.saveFailed(storage, task, { ...attempt, error: reason, nextAt });
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ProvisioningError && error.isFinal;
}

/** Errors of other kinds may have secrets in them. */
function reasonOf(error: unknown): string {
  if (error instanceof ProvisioningError) return error.message;
  if (!(error instanceof OutboundError)) return 'An internal error: see the log of the server.';
  return `The network server cannot be reached: ${error.message}. It is tried again.`;
}
