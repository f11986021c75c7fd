import { type Clock, ClockSteps, Failure } from '../../runtime/index.ts';
import { isChanged, type Queries } from '../../storage/index.ts';
import type { TimedValue } from '../judgement/index.ts';
import type { BatchJudgement } from './batch-judgement.ts';
import {
  type BatchArrival,
  type DeviceWatch,
  type Judged,
  type JudgedReading,
  judgeSightings,
  type Lookout,
  lookoutOf,
  type Sighting,
} from './lookouts.ts';
import type { Readiness } from './readiness.ts';
import { isAmbiguous } from './reading-order.ts';
import { type Step, stepOf, type Watched } from './step.ts';
import { listWatched, stepStatements } from './store.ts';

export interface KeeperDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  /** The run of this server, to which its monotonic clock belongs. */
  readonly runId: string;
  /** The newest reading of each Variable, by the key of its history. */
  readonly latest: (
    refs: readonly { readonly seriesId: number }[],
  ) => Promise<readonly (TimedValue | null)[]>;
  /** Whether the history of a Variable has a reading at exactly this time. */
  readonly isStored: (variable: JudgedReading['variable'], at: number) => Promise<boolean>;
  readonly readiness: Readiness;
  /** Called when the clock was set: also by one that is set right before the ticker notices. */
  readonly onClockStep: () => void;
  /** Told what was stored, after it was. */
  readonly onStored: (step: Step, now: number) => void;
  readonly failpoint: (name: string) => void;
  readonly maxDevices?: number;
}

const MAX_DEVICES = 200_000;
const MAX_ATTEMPTS = 10;

/** A batch from its judgement until it is stored or refused. */
interface OpenBatch {
  readonly sightings: readonly Sighting[];
  /** The Devices whose alarms change: they are settling. */
  readonly devices: ReadonlySet<DeviceWatch>;
  readonly arrival: BatchArrival;
  readonly settle: () => void;
}

/**
 * Keeps the watches of Devices in use in memory, and judges each batch before it is committed.
 *
 * Invariant: readings and the changes of alarms that they cause are stored in one transaction, and
 * each change is judged on the stored state that it replaces. Judging is optimistic: it uses the
 * state in memory without locks, and the statements require the revisions that were read. Storage
 * refuses the transaction when one of them was changed. These interleavings are survived:
 *
 * - Two batches of this server: batches are judged one after the other, in order. A batch with a
 *   Device that is settling waits until the earlier batch is stored or refused.
 * - An edit of an alarm, the clock, or another server changes an alarm between judgement and commit:
 *   the commit is refused, the Devices are read again, and the same batch is judged on what is
 *   stored now. Its Devices stay settling meanwhile.
 * - `forget` while a Device is settling: the Device is dropped once the batch is stored or refused,
 *   so that the next batch reads it again.
 * - The commit fails, or its outcome is unknown: all Devices of the batch are dropped, so that the
 *   retry is judged on what is stored. A reading that was stored after all is recognized by its time
 *   (`#findStored`) and not judged twice.
 * - The process ends between any two steps: memory holds nothing that is not stored.
 */
export class Keeper {
  readonly #deps: KeeperDeps;
  readonly #devices = new Map<string, DeviceWatch>();
  readonly #steps: ClockSteps;
  /** Batches are judged in the order in which they come. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#steps = new ClockSteps(deps.clock);
  }

  /** Judges a batch. Batches are judged in the order of the calls. */
  async judge(readings: readonly JudgedReading[], arrivedAt: number): Promise<BatchJudgement> {
    const { clock, runId } = this.#deps;
    const arrival = { at: arrivedAt, runId, elapsed: Math.round(clock.elapsed()) };
    const turn = this.#turn.then(() => this.#judge(readings, arrival));
    this.#turn = turn.catch(() => undefined);
    const { changes, ...batch } = await turn;
    try {
      return this.#judgement(batch, changes, 1);
    } catch (error) {
      throw this.#abandon(batch, error);
    }
  }

  /** Something of the Device or of its alarms has changed. */
  forget(deviceId: string): void {
    const device = this.#devices.get(deviceId);
    if (!device) return;
    device.isForgotten = true;
    if (!device.settling) this.#devices.delete(deviceId);
  }

  forgetAll(): void {
    for (const deviceId of [...this.#devices.keys()]) this.forget(deviceId);
  }

  /** Judges in memory. Devices that something happened to are settling until it is stored. */
  async #judge(readings: readonly JudgedReading[], given: BatchArrival) {
    const arrival = this.#checked(given);
    const sightings = await this.#sight(readings, arrival);
    await this.#findStored(sightings, arrival.at);
    const judged = judgeSightings(sightings, arrival);
    let settled: () => void = () => undefined;
    if (judged.devices.size > 0) {
      const settling = new Promise<void>((resolve) => {
        settled = resolve;
      });
      for (const device of judged.devices) device.settling = settling;
    }
    const settle = () => {
      for (const device of judged.devices) device.settling = undefined;
      for (const { device } of sightings) if (device.isForgotten) this.#drop(device);
      settled();
    };
    return { sightings, devices: judged.devices, changes: judged.changes, arrival: given, settle };
  }

  #judgement(batch: OpenBatch, changes: Judged['changes'], attempt: number): BatchJudgement {
    const { clock, failpoint, onStored } = this.#deps;
    if (changes.length === 0) {
      // Without a change of an alarm there is no conflict: every error is final.
      const refused = (error: unknown) => Promise.reject(this.#abandon(batch, error));
      return { statements: null, stored: batch.settle, refused };
    }
    const step = stepOf(changes);
    const now = clock.now();
    failpoint('judged');
    return {
      statements: () => stepStatements(step, { now, failpoint }),
      stored: () => {
        try {
          failpoint('committed');
          onStored(step, now);
        } catch (error) {
          throw this.#abandon(batch, error);
        }
        batch.settle();
      },
      refused: (error) => this.#refused(batch, error, attempt),
    };
  }

  async #refused(batch: OpenBatch, error: unknown, attempt: number): Promise<BatchJudgement> {
    try {
      if (!isChanged(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw unsettled();
      return this.#judgement(batch, await this.#judgeAgain(batch), attempt + 1);
    } catch (final) {
      throw this.#abandon(batch, final);
    }
  }

  /** Ends a batch that is not stored. */
  #abandon({ sightings, settle }: OpenBatch, error: unknown): unknown {
    this.#deps.readiness.failed(error);
    for (const { device } of sightings) device.isForgotten = true;
    settle();
    return error;
  }

  /**
   * How far readings have been judged is remembered by the clock, so what is in memory ends with a
   * step of the clock. Nothing arrived in the future: there the clock was set back since.
   */
  #checked(arrival: BatchArrival): BatchArrival {
    const { now, stepMs } = this.#steps.read();
    if (stepMs !== 0) {
      this.forgetAll();
      this.#deps.onClockStep();
    }
    return now < arrival.at ? { ...arrival, at: now } : arrival;
  }

  #drop(device: DeviceWatch): void {
    if (device.settling || this.#devices.get(device.deviceId) !== device) return;
    this.#devices.delete(device.deviceId);
  }

  /** The readings of watched Variables, once all that is known of them is in memory. */
  async #sight(readings: readonly JudgedReading[], arrival: BatchArrival): Promise<Sighting[]> {
    for (;;) {
      const sightings: Sighting[] = [];
      const missing = new Map<string, JudgedReading['variable']>();
      let settling: Promise<void> | undefined;
      let device: DeviceWatch | undefined;
      for (const reading of readings) {
        const { deviceId, seriesId } = reading.variable;
        if (device?.deviceId !== deviceId) device = this.#devices.get(deviceId);
        if (device === undefined) missing.set(deviceId, reading.variable);
        else if (device.lookouts !== null) {
          const lookout = device.lookouts.get(seriesId);
          if (lookout) sightings.push({ device, lookout, reading, isStored: false });
          settling ??= device.settling;
        }
      }
      if (settling !== undefined) await settling;
      else if (missing.size > 0) await this.#load([...missing.values()], arrival);
      else return sightings;
    }
  }

  /** Looks into the history where only that tells whether a reading was judged before. */
  async #findStored(sightings: readonly Sighting[], arrivedAt: number): Promise<void> {
    for (const sighting of sightings) {
      const { lookout, reading } = sighting;
      if (!isAmbiguous(lookout.marks, reading, arrivedAt)) continue;
      sighting.isStored = await this.#deps.isStored(reading.variable, reading.at);
    }
  }

  async #load(wanted: readonly JudgedReading['variable'][], arrival: BatchArrival): Promise<void> {
    const loading = wanted.map(({ organizationId, deviceId }): DeviceWatch => {
      return { organizationId, deviceId, lookouts: null, settling: undefined, isForgotten: false };
    });
    let loaded: () => void = () => undefined;
    const settling = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    for (const device of loading) {
      device.settling = settling;
      this.#devices.set(device.deviceId, device);
    }
    try {
      await this.#fill(loading, arrival);
    } catch (error) {
      for (const device of loading) device.isForgotten = true;
      throw error;
    } finally {
      for (const device of loading) {
        device.settling = undefined;
        if (device.isForgotten) this.#drop(device);
      }
      loaded();
      this.#makeRoom();
    }
  }

  /** Reads what is stored of the Devices into them. */
  async #fill(devices: readonly DeviceWatch[], arrival: BatchArrival): Promise<void> {
    const { storage, latest, clock } = this.#deps;
    const alarmsOf = new Map<number, Watched[]>();
    for (const { seriesId, watched } of await listWatched(storage, devices)) {
      const known = alarmsOf.get(seriesId);
      if (known) known.push(watched);
      else alarmsOf.set(seriesId, [watched]);
    }
    const seriesIds = [...alarmsOf.keys()].map((seriesId) => ({ seriesId }));
    const newest = seriesIds.length === 0 ? [] : await latest(seriesIds);
    const moment = { now: clock.now(), arrivedAt: arrival.at };
    const byDevice = new Map<string, Map<number, Lookout>>();
    let index = 0;
    for (const [seriesId, alarms] of alarmsOf) {
      const deviceId = alarms[0]?.deviceId ?? '';
      const lookouts = byDevice.get(deviceId) ?? new Map<number, Lookout>();
      const lookout = lookoutOf(alarms, newest[index] ?? null, moment);
      byDevice.set(deviceId, lookouts.set(seriesId, lookout));
      index += 1;
    }
    for (const device of devices) device.lookouts = byDevice.get(device.deviceId) ?? null;
  }

  #makeRoom(): void {
    const most = this.#deps.maxDevices ?? MAX_DEVICES;
    for (const device of this.#devices.values()) {
      if (this.#devices.size <= most) return;
      this.#drop(device);
    }
  }

  /** Judges a batch on what is stored now. No other batch has these Devices: they are settling. */
  async #judgeAgain({ sightings, devices, arrival: given }: OpenBatch) {
    const arrival = this.#checked(given);
    await this.#fill([...devices], arrival);
    const own = sightings.flatMap(({ device, reading, isStored }) => {
      const lookout = devices.has(device) && device.lookouts?.get(reading.variable.seriesId);
      return lookout ? [{ device, lookout, reading, isStored }] : [];
    });
    return judgeSightings(own, arrival).changes;
  }
}

function unsettled(): Failure {
  return new Failure('STORAGE_UNAVAILABLE', 'Alarms change faster than they can be judged.', {
    retryAfterSeconds: 1,
  });
}
