import { type RotaLayer, WEEKDAYS } from '@fieldwatch/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onCallAt, type RotaPlan, type Shift, shiftsOf } from './index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const layer = (fields: Partial<RotaLayer>): RotaLayer => ({
  userIds: ['ann', 'bob'],
  rotation: 'DAILY',
  every: 1,
  handoffTime: '08:00',
  handoffWeekday: null,
  startDate: '2026-01-01',
  hours: [],
  ...fields,
});
const rota = (layers: RotaLayer[], fields: Partial<RotaPlan> = {}): RotaPlan => ({
  timeZone: 'Europe/Vienna',
  layers,
  overrides: [],
  ...fields,
});
const at = (text: string) => Date.parse(text);
const described = (shifts: readonly Shift[]) =>
  shifts.map(({ userId, from, to }) =>
    [
      userId,
      new Date(from).toISOString().slice(0, 16),
      new Date(to).toISOString().slice(0, 16),
    ].join(' '),
  );

/**
 * Finds who is on call in another way: it looks at the wall clock minute by minute, counts hand-offs
 * as the clock reaches them, and asks the layers from the top.
 */
class SteppingOracle {
  readonly #format: Intl.DateTimeFormat;
  readonly #states: { handoffs: number; next: string; highest: string }[];
  readonly #rota: RotaPlan;

  constructor(plan: RotaPlan) {
    this.#rota = plan;
    this.#format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: plan.timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    this.#states = plan.layers.map(({ startDate, handoffTime }) => {
      return { handoffs: -1, next: `${startDate} ${handoffTime}`, highest: '' };
    });
  }

  /** Called for each minute, in order. */
  step(moment: number): string | null {
    const wall = this.#format.format(moment);
    let found: string | null = null;
    for (const [index, each] of this.#rota.layers.entries()) {
      const state = this.#states[index];
      if (!state) continue;
      if (wall > state.highest) state.highest = wall;
      while (wall >= state.next) {
        state.handoffs += 1;
        state.next = handoffAfter(each, state.next);
      }
      const isOpen = each.hours.length === 0 || isWithinHours(each, state.highest);
      const userId = state.handoffs < 0 ? null : each.userIds[state.handoffs % each.userIds.length];
      if (isOpen && userId) found = userId;
    }
    for (const { userId, fromDateTime, toDateTime } of this.#rota.overrides) {
      if (moment >= Date.parse(fromDateTime) && moment < Date.parse(toDateTime)) found = userId;
    }
    return found;
  }
}

/** The wall time of the hand-off after another one, by the calendar. */
function handoffAfter({ rotation, every, handoffWeekday, handoffTime }: RotaLayer, wall: string) {
  const date = new Date(`${wall.replace(' ', 'T')}:00Z`);
  if (rotation === 'HOURS') date.setUTCHours(date.getUTCHours() + every);
  else if (rotation === 'DAILY') date.setUTCDate(date.getUTCDate() + every);
  else {
    let weeks = every;
    // From a start between two hand-offs, it goes on to the weekday first.
    const isStart = WEEKDAYS[(date.getUTCDay() + 6) % 7] !== handoffWeekday;
    if (isStart) weeks = every - 1;
    do date.setUTCDate(date.getUTCDate() + 1);
    while (WEEKDAYS[(date.getUTCDay() + 6) % 7] !== handoffWeekday);
    date.setUTCDate(date.getUTCDate() + 7 * (isStart ? weeks : weeks - 1));
  }
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${rotation === 'HOURS' ? text.slice(11, 16) : handoffTime}`;
}

/**
 * The highest time that the clock has shown decides: while it shows an hour for the second time,
 * hours that were open stay so, and those that had ended do not begin again.
 */
function isWithinHours({ hours }: RotaLayer, wall: string): boolean {
  const time = wall.slice(11);
  const date = new Date(`${wall.slice(0, 10)}T00:00Z`);
  const today = WEEKDAYS[(date.getUTCDay() + 6) % 7];
  const yesterday = WEEKDAYS[(date.getUTCDay() + 5) % 7];
  return hours.some(({ weekday, from, to }) => {
    const isOverNight = to < from;
    if (weekday === today && time >= from && (isOverNight || time < to)) return true;
    return weekday === yesterday && isOverNight && time < to;
  });
}

describe('a rota', () => {
  it('hands off at the same time of the wall clock before and after the clock changes', () => {
    const plan = rota([layer({})]);
    expect(described(shiftsOf(plan, at('2026-03-28T00:00Z'), at('2026-03-31T00:00Z')))).toEqual([
      'bob 2026-03-28T00:00 2026-03-28T07:00',
      'ann 2026-03-28T07:00 2026-03-29T06:00',
      'bob 2026-03-29T06:00 2026-03-30T06:00',
      'ann 2026-03-30T06:00 2026-03-31T00:00',
    ]);
  });

  it('hands off when the clock is put forward, at a time that is skipped', () => {
    const plan = rota([layer({ handoffTime: '02:30' })]);
    expect(onCallAt(plan, at('2026-03-29T00:59:59Z'))).not.toBe(
      onCallAt(plan, at('2026-03-29T01:00:00Z')),
    );
  });

  it('hands off once, at the first of two times that the clock shows', () => {
    const plan = rota([layer({ handoffTime: '02:30' })]);
    const shifts = shiftsOf(plan, at('2026-10-25T00:00Z'), at('2026-10-25T04:00Z'));
    expect(described(shifts).map((text) => text.slice(4))).toEqual([
      '2026-10-25T00:00 2026-10-25T00:30',
      '2026-10-25T00:30 2026-10-25T04:00',
    ]);
  });

  it('has later layers win over earlier ones within their hours, and overrides over all', () => {
    const weekdays = layer({
      userIds: ['cat'],
      hours: [{ weekday: 'MONDAY', from: '09:00', to: '17:00' }],
    });
    const plan = rota([layer({ userIds: ['ann'] }), weekdays], {
      timeZone: 'UTC',
      overrides: [
        {
          userId: 'dan',
          fromDateTime: '2026-11-16T16:00:00.000Z',
          toDateTime: '2026-11-16T18:00:00.000Z',
        },
      ],
    });
    expect(described(shiftsOf(plan, at('2026-11-16T00:00Z'), at('2026-11-17T00:00Z')))).toEqual([
      'ann 2026-11-16T00:00 2026-11-16T09:00',
      'cat 2026-11-16T09:00 2026-11-16T16:00',
      'dan 2026-11-16T16:00 2026-11-16T18:00',
      'ann 2026-11-16T18:00 2026-11-17T00:00',
    ]);
  });

  it('has the layers below apply in the turn of nobody, and a gap where there are none', () => {
    const upper = layer({ userIds: ['cat', null] });
    const from = at('2026-01-01T07:00Z');
    const to = from + 2 * DAY_MS;
    expect(shiftsOf(rota([layer({ userIds: ['ann'] }), upper]), from, to)).toMatchObject([
      { userId: 'cat' },
      { userId: 'ann' },
    ]);
    expect(shiftsOf(rota([upper]), from, to)).toMatchObject([{ userId: 'cat' }, { userId: null }]);
  });

  it('begins a weekly layer that starts between two hand-offs with a shorter turn', () => {
    const plan = rota(
      [layer({ rotation: 'WEEKLY', handoffWeekday: 'MONDAY', startDate: '2026-11-18' })],
      { timeZone: 'UTC' },
    );
    expect(described(shiftsOf(plan, at('2026-11-18T00:00Z'), at('2026-12-01T00:00Z')))).toEqual([
      ' 2026-11-18T00:00 2026-11-18T08:00',
      'ann 2026-11-18T08:00 2026-11-23T08:00',
      'bob 2026-11-23T08:00 2026-11-30T08:00',
      'ann 2026-11-30T08:00 2026-12-01T00:00',
    ]);
  });

  it('agrees with stepping minute by minute, over changes of the clock and a leap day', () => {
    const time = fc.constantFrom('00:00', '01:59', '02:00', '02:30', '03:00', '08:00', '23:45');
    const hours = fc
      .record({ weekday: fc.constantFrom(...WEEKDAYS), from: time, to: time })
      .filter(({ from, to }) => from !== to);
    const anyLayer = fc
      .record({
        userIds: fc.array(fc.constantFrom('ann', 'bob', 'cat', null), {
          minLength: 1,
          maxLength: 4,
        }),
        rotation: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'HOURS' as const),
        every: fc.integer({ min: 1, max: 5 }),
        handoffTime: time,
        weekday: fc.constantFrom(...WEEKDAYS),
        offset: fc.integer({ min: -9, max: 3 }),
        hours: fc.array(hours, { maxLength: 5 }),
      })
      .map(({ weekday, ...fields }) => ({
        ...fields,
        handoffWeekday: fields.rotation === 'WEEKLY' ? weekday : null,
      }));
    const start = fc.constantFrom(
      ['Europe/Vienna', '2028-03-24'],
      ['Europe/Vienna', '2028-10-27'],
      ['Europe/Vienna', '2028-02-27'],
      ['America/New_York', '2026-03-06'],
      ['America/New_York', '2026-10-30'],
      ['Australia/Lord_Howe', '2026-04-03'],
      ['Asia/Kathmandu', '2026-05-01'],
    );
    fc.assert(
      fc.property(start, fc.array(anyLayer, { minLength: 1, maxLength: 3 }), (when, given) => {
        const [timeZone = '', date = ''] = when;
        const dayOf = (days: number) =>
          new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
        const layers = given.map(({ offset, ...fields }) => ({
          ...fields,
          startDate: dayOf(offset),
        }));
        const plan = rota(layers, { timeZone });
        const from = Date.parse(date);
        const to = from + 4 * DAY_MS;
        const oracle = new SteppingOracle(plan);
        const shifts = shiftsOf(plan, from, to);
        let index = 0;
        for (let minute = from - 12 * DAY_MS; minute < to; minute += MINUTE_MS) {
          const expected = oracle.step(minute);
          if (minute < from) continue;
          while ((shifts[index]?.to ?? to) <= minute) index += 1;
          if (shifts[index]?.userId !== expected) {
            expect([new Date(minute).toISOString(), shifts[index]?.userId]).toEqual([
              new Date(minute).toISOString(),
              expected,
            ]);
          }
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
