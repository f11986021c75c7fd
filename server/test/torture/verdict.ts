import { setTimeout as sleep } from 'node:timers/promises';
import type { RawReadings } from '@fieldwatch/contract';
import { type Harness, insist } from './harness.ts';
import { noFaults, type Series, type SeriesFaults, type StoredReading } from './ledger.ts';
import type { Due } from './notifications.ts';
import {
  type AlarmOracle,
  isSameEvent,
  isSameHistory,
  type Moment,
  pairedWith,
  type RecordedEvent,
} from './oracle.ts';
import { recordedEvents } from './recorded-events.ts';
import type { Change } from './subscribers.ts';

const PAGE = 50_000;
const END_OF_TIME = 8_640_000_000_000_000;

async function storedIn(harness: Harness, variableId: string): Promise<StoredReading[]> {
  const stored: StoredReading[] = [];
  let from: number | null = 0;
  while (from !== null) {
    const query: { startTime: number; endTime: number; take: number } = {
      ...{ startTime: from, endTime: END_OF_TIME, take: PAGE },
    };
    const page: object = await insist(harness, (api, organizationId) =>
      api.listReadings({ organizationId, variableId, query }),
    );
    const { items, nextStartTime } = page as RawReadings;
    for (const reading of items) stored.push(reading);
    from = nextStartTime;
  }
  return stored;
}

export interface ReadingsVerdict {
  readonly faults: SeriesFaults;
  readonly acknowledged: number;
  readonly found: number;
}

export async function judgeReadings(
  harness: Harness,
  all: readonly Series[],
): Promise<ReadingsVerdict> {
  const faults = noFaults();
  let [acknowledged, found] = [0, 0];
  for (const series of all) {
    const stored = await storedIn(harness, series.variableId);
    series.check(stored, faults);
    acknowledged += series.acknowledgedCount;
    found += stored.length;
  }
  return { faults, acknowledged, found };
}

/** An Alarm with its oracle, and whom its events are sent to. */
export interface Watched {
  readonly name: string;
  readonly alarmId: string;
  readonly oracle: AlarmOracle;
  readonly isNotified: boolean;
  readonly email: string | null;
}

export interface AlarmsVerdict {
  readonly differences: string[];
  /** The Alarms that they are of. */
  readonly differing: readonly string[];
  readonly events: number;
  readonly races: number;
  readonly changes: readonly Change[];
  readonly due: readonly Due[];
}

const show = (at: number) => new Date(at).toISOString();

function difference({ name, oracle }: Watched, recorded: readonly RecordedEvent[]): string {
  const [expected = []] = oracle.histories;
  const lines = [`${name}: ${recorded.length} events, ${expected.length} expected`];
  const seen = new Set(recorded.map(({ raisedAt }) => raisedAt));
  const wanted = expected.filter(({ raised }) => ![...seen].some((at) => isIn(at, raised)));
  for (const { raised } of wanted.slice(0, 3)) lines.push(`missed: raised ${show(raised[0])}`);
  const extra = recorded.filter(
    ({ raisedAt }) => !expected.some(({ raised }) => isIn(raisedAt, raised)),
  );
  for (const event of extra.slice(0, 3)) {
    lines.push(`invented: ${event.id} raised ${show(event.raisedAt)} at ${event.raisedValue}`);
  }
  const at = recorded.findIndex((event, index) => {
    const own = expected[index];
    return own === undefined || !isSameEvent(own, event);
  });
  if (at >= 0) {
    const pair = [recorded[at], expected[at]].map((event) => JSON.stringify(event));
    lines.push(`number ${at + 1} is recorded as ${pair.join(' and expected as ')}`);
  }
  return lines.join('; ');
}

const isIn = (at: number, [from, to]: Moment) => at >= from && at <= to;

function changesOf(name: string, within: Moment | null): Change[] {
  return within === null ? [] : [{ name, from: within[0], to: within[1] }];
}

export async function judgeAlarms(
  harness: Harness,
  all: readonly Watched[],
): Promise<AlarmsVerdict> {
  const recorded = await recordedEvents(harness);
  const differences: string[] = [];
  const differing: string[] = [];
  const changes: Change[] = [];
  const due: Due[] = [];
  let [races, count] = [0, 0];
  for (const watched of all) {
    const { alarmId, oracle, isNotified, email } = watched;
    oracle.end();
    races += oracle.races;
    const events = recorded.get(alarmId) ?? [];
    recorded.delete(alarmId);
    count += events.length;
    for (const { id: eventId, clearedAt } of isNotified ? events : []) {
      due.push({ eventId, type: 'alarm.raised', email });
      if (clearedAt !== null) due.push({ eventId, type: 'alarm.cleared', email });
    }
    const expected = oracle.histories.find((each) => isSameHistory(each, events));
    if (!expected) {
      differences.push(difference(watched, events));
      differing.push(alarmId);
    }
    const paired = pairedWith(expected ?? [], events) ?? [];
    for (const [index, { raisedWithin, cleared }] of (expected ?? []).entries()) {
      const id = paired[index]?.id ?? '';
      changes.push(...changesOf(`${id} RAISED`, raisedWithin));
      changes.push(...changesOf(`${id} CLEARED`, cleared?.within ?? null));
    }
  }
  for (const alarmId of recorded.keys()) differences.push(`events of no known Alarm: ${alarmId}`);
  return { differences, differing, events: count, races, changes, due };
}

/** What the server says became of the mails of each event. */
export async function mailStates(harness: Harness): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  for (let skip = 0; ; skip += MAIL_PAGE) {
    const query = { channels: ['EMAIL' as const], take: MAIL_PAGE, skip };
    const { items } = await insist(harness, (api, organizationId) =>
      api.listDeliveries({ organizationId, query }),
    );
    for (const { eventId, type, state, attempts, email, lastError } of items) {
      const text = `${state} after ${attempts} attempts to ${email}, ${lastError ?? 'no error'}`;
      states.set(`${eventId ?? 'digest'} ${type}`, text);
    }
    if (items.length < MAIL_PAGE) return states;
  }
}

const MAIL_PAGE = 1_000;

/** Waits until nothing is left to be delivered; what is scheduled for later stays. */
export async function awaitDeliveries(harness: Harness, limitMs: number) {
  const deadline = Date.now() + limitMs;
  // Several times, since what was raised last may not have become a delivery yet.
  for (let quiet = 0; ; ) {
    const query = { states: ['PENDING' as const], take: 1_000 };
    const { items } = await insist(harness, (api, organizationId) =>
      api.listDeliveries({ organizationId, query }),
    );
    const isSoon = items.some(({ channel }) => channel === 'WEBHOOK');
    quiet = !isSoon && items.every(isLater) ? quiet + 1 : 0;
    if (quiet === QUIET_LOOKS || Date.now() > deadline) return items;
    await sleep(500);
  }
}

const QUIET_LOOKS = 4;
const LATER_MS = 60_000;

function isLater({ nextAttemptDateTime }: { nextAttemptDateTime: string | null }): boolean {
  return nextAttemptDateTime !== null && Date.parse(nextAttemptDateTime) > Date.now() + LATER_MS;
}
