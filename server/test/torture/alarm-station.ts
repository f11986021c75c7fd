import { setTimeout as sleep } from 'node:timers/promises';
import { makeAlarm, makeDevice, makeGroup, makeVariable, type VariableType } from './fleet.ts';
import { complain, type Harness } from './harness.ts';
import { TimedSeries, type Value } from './ledger.ts';
import { AlarmOracle, type Begun, type Terms } from './oracle.ts';
import { recordedEvents } from './recorded-events.ts';
import type { Credentials, Receipt, Sender } from './senders.ts';

const PATH = 'point.value';
const POLL_MS = 500;
/** How long after it was due, and after every outage, an event may take. */
const EVENT_LIMIT_MS = 90_000;
const MAX_OPEN_RACES = 8;

export interface AlarmStationOptions {
  readonly name: string;
  readonly type: VariableType;
  readonly terms: Terms;
  readonly hookUrl: string;
  readonly email: string | null;
}

/** Opens the way by which a Device reports. `countIn` returns how many readings are in a message. */
export type OpenSender = (credentials: Credentials, countIn: (payload: object) => number) => Sender;

/** A Device with one watched Variable, which reports one reading after another. */
export class AlarmStation {
  readonly name: string;
  readonly terms: Terms;
  readonly series: TimedSeries;
  readonly oracle: AlarmOracle;
  readonly alarmId: string;
  readonly email: string | null;
  readonly harness: Harness;
  readonly #sender: Sender;
  episodes = 0;

  constructor(
    harness: Harness,
    parts: Pick<AlarmStation, 'name' | 'terms' | 'alarmId' | 'email'> & { variableId: string },
    sender: Sender,
  ) {
    this.harness = harness;
    this.name = parts.name;
    this.terms = parts.terms;
    this.alarmId = parts.alarmId;
    this.email = parts.email;
    this.series = new TimedSeries(parts.variableId);
    this.oracle = new AlarmOracle(parts.terms);
    this.#sender = sender;
  }

  get isDone(): boolean {
    return this.harness.stopping.aborted;
  }

  /** Reports a reading that was measured at this time, and informs the oracle. */
  async report(at: number, value: Value): Promise<Receipt> {
    return await this.reportAll([{ at, value }]);
  }

  /** Reports readings in one message. */
  async reportAll(readings: readonly { at: number; value: Value }[]): Promise<Receipt> {
    for (const { at, value } of readings) this.series.sent(at, value);
    const dataArray = readings.map(({ at, value }) => ({ key: PATH, timestamp: at, value }));
    const [only] = readings;
    const receipt = await this.#sender.send(
      readings.length === 1 && only
        ? { timestamp: only.at, data: { [PATH]: only.value } }
        : { dataArray },
    );
    for (const { at, value } of readings) {
      this.series.acknowledged(at, value);
      this.#judge(at, value, receipt);
    }
    return receipt;
  }

  #judge(at: number, value: Value, { sentAt, ackedAt }: Receipt): void {
    const { timeline } = this.harness;
    this.oracle.reading({
      stated: at,
      arrivals: timeline.arrivalsOf(sentAt, ackedAt),
      value,
      within: [sentAt, ackedAt],
      clock: (begun: Begun, delayMs: number) =>
        timeline.verdictOn({
          begunSentAt: begun.within[0],
          begunAckedAt: begun.within[1],
          holdMs: delayMs,
          nextSentAt: sentAt,
          nextAckedAt: ackedAt,
        }),
    });
  }

  /** Waits until the clock has raised the event that is due at this time. */
  async openEvent(dueAt: number): Promise<void> {
    const { timeline } = this.harness;
    for (;;) {
      if (await this.#isOpen()) return;
      const now = Date.now();
      const since = Math.max(dueAt, timeline.lastOutageEnd() ?? now);
      if (Math.min(now, timeline.serverTime(now)) - since > EVENT_LIMIT_MS) {
        complain(this.harness, `${this.name}: no event of ${new Date(dueAt).toISOString()}`);
        return;
      }
      await sleep(POLL_MS);
    }
  }

  /** After an episode: asks how races went, before there are too many to keep apart. */
  async learnRaces(): Promise<void> {
    if (this.oracle.histories.length < MAX_OPEN_RACES) return;
    const filter = { deviceVariableIds: [this.series.variableId] };
    const recorded = await recordedEvents(this.harness, filter);
    this.oracle.learn(recorded.get(this.alarmId) ?? []);
  }

  async #isOpen(): Promise<boolean> {
    const filter = { deviceVariableIds: [this.series.variableId] };
    const recorded = (await recordedEvents(this.harness, filter)).get(this.alarmId) ?? [];
    return recorded.some(({ clearedAt }) => clearedAt === null);
  }

  async end(): Promise<void> {
    await this.#sender.end();
  }
}

export async function makeAlarmStation(
  harness: Harness,
  { name, type, terms, hookUrl, email }: AlarmStationOptions,
  openSender: OpenSender,
): Promise<AlarmStation> {
  const credentials = await makeDevice(harness, name);
  const deviceId = credentials.username;
  const variableId = await makeVariable(harness, deviceId, PATH, type);
  const groupId = await makeGroup(harness, hookUrl, email);
  const watched = { deviceId, deviceVariableId: variableId, name };
  const alarmId = await makeAlarm(harness, watched, terms, groupId);
  const sender = openSender(credentials, countIn);
  return new AlarmStation(harness, { name, terms, alarmId, email, variableId }, sender);
}

function countIn(payload: object): number {
  return 'dataArray' in payload && Array.isArray(payload.dataArray) ? payload.dataArray.length : 1;
}
