import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Uplink } from '../messages/index.ts';
import {
  bestGateway,
  intervalSecondsOf,
  learnedGatewayMinutes,
  learnedOnlineMinutes,
  logged,
  lostBefore,
  lostWithinDay,
  NO_RADIO,
  type Radio,
  radioAfter,
  radioAfterStatistics,
  retransmittedWithinDay,
} from './index.ts';

const START = Date.UTC(2026, 10, 15, 8);
const SENSOR = { devEui: '0101010101010101', name: null };

const uplink = (fCnt: number, seconds: number, changed: Partial<Uplink> = {}): Uplink => ({
  ...{ kind: 'up', ...SENSOR, at: START + seconds * 1_000, id: `up ${fCnt} ${seconds}` },
  ...{ devAddr: '01', fCnt, fPort: 1, bytes: null, decoded: null, gateways: [] },
  ...{ spreadingFactor: 7, frequencyMhz: 868.1, battery: null, ...changed },
});

const after = (...events: Parameters<typeof radioAfter>[1][]) =>
  events.reduce<Radio>(radioAfter, NO_RADIO);

describe('the frame counter', () => {
  it.each([
    ['the next', 11, 0],
    ['one after three lost ones', 14, 3],
    ['a retransmission', 10, 0],
    ['one that restarts', 0, 0],
    ['one after 16 384 lost ones', 10 + 16_385, 16_384],
    ['one that is further ahead', 10 + 16_386, null],
  ])('of %s shows what was lost', (_, fCnt, lost) => {
    expect(lostBefore(after(uplink(10, 0)), uplink(fCnt, 60))).toBe(lost);
  });

  it('of the first and of a late uplink shows nothing', () => {
    expect(lostBefore(NO_RADIO, uplink(10, 0))).toBeNull();
    expect(lostBefore(after(uplink(10, 60)), uplink(3, 0))).toBeNull();
  });

  it('begins at 0 after a join, whose first frames can be lost too', () => {
    const join = { kind: 'join', ...SENSOR, at: START, id: null, devAddr: '02' } as const;
    const radio = after(uplink(100, -60), join);
    expect(radio).toMatchObject({ devAddr: '02', lastJoinAt: START, lastUplink: { fCnt: 100 } });
    expect(lostBefore(radio, uplink(0, 60))).toBe(0);
    expect(lostBefore(radio, uplink(2, 60))).toBe(2);
    expect(lostBefore(radioAfter(radio, uplink(2, 60)), uplink(4, 120))).toBe(1);
  });

  it('adds up the losses of a day, each once', () => {
    const gap = uplink(13, 60);
    const radio = after(uplink(10, 0), gap, gap, uplink(15, 3_700));
    expect(lostWithinDay(radio, START + 3_700_000)).toBe(3);
    expect(lostWithinDay(radio, START + 24 * 3_600_000)).toBe(1);
    expect(lostWithinDay(radio, START + 25 * 3_600_000)).toBe(0);
  });
});

describe('a retransmission', () => {
  it('is the same frame at another time, unless the sensor joined: it is counted, and is no interval', () => {
    const join = { kind: 'join', ...SENSOR, at: START, id: null, devAddr: '02' } as const;
    const radio = after(
      ...[uplink(1, 0), uplink(1, 5), uplink(1, 10), uplink(2, 610), uplink(3, 1_210)],
      ...[join, uplink(3, 1_810)],
    );
    expect(retransmittedWithinDay(radio, START)).toBe(2);
    expect(intervalSecondsOf(radio)).toBe(600);
  });

  it('is not an event that came already, a late one, nor one of more than five minutes later', () => {
    const radio = after(uplink(1, 0), uplink(2, 60), uplink(2, 60, { id: 'other' }), uplink(2, 60));
    const later = radioAfter(radioAfter(radio, uplink(2, 30)), uplink(2, 361));
    expect(retransmittedWithinDay(later, START)).toBe(0);
    expect(later.gaps[0]).toBe(301_000);
  });
});

describe('the statistics of a gateway', () => {
  const counted = (...seconds: number[]) =>
    seconds.reduce<Radio>((radio, at) => radioAfterStatistics(radio, START + at * 1_000), NO_RADIO);

  it.each([
    ['two intervals', [0, 30, 60], null],
    ['intervals of 30 s', [0, 30, 60, 90], 2],
    ['intervals of 5 s', [0, 5, 10, 15], 2],
    ['an outage', [0, 30, 60, 9_000, 9_030], 2],
    ['intervals of 5 minutes', [0, 300, 600, 900], 15],
    ['a clock that was a year ahead', [3e7, 0, 30, 60, 90], 2],
    ['intervals of a week', [0, 604_800, 1_209_600, 1_814_400], 10_080],
  ])('with %s set how long it counts as online, three intervals', (_, seconds, minutes) => {
    expect(learnedGatewayMinutes(counted(...seconds))).toBe(minutes);
  });
});

describe('the radio of a sensor', () => {
  it('learns the usual interval, of which an outage is none', () => {
    const radio = after(uplink(1, 0), uplink(2, 600), uplink(3, 9_000), uplink(4, 9_600));
    expect(intervalSecondsOf(radio)).toBe(600);
    expect(intervalSecondsOf(NO_RADIO)).toBeNull();
  });

  it.each([
    ['no interval yet', [], 15],
    ['one of 5 minutes', [300], 15],
    ['one of 301 seconds', [301], 15],
    ['one of 6 minutes', [360], 18],
    ['one of an hour, and an outage', [3_600, 3_600, 90_000], 180],
    ['one of a month', [30 * 86_400], 10_080],
  ])(
    'with %s counts as online for max(15 min, 3 × interval), a week at most',
    (_, gaps, minutes) => {
      const radio = { ...NO_RADIO, gaps: gaps.map((seconds) => seconds * 1_000) };
      expect(learnedOnlineMinutes(radio)).toBe(minutes);
    },
  );

  it('counts as online by its usual interval, whatever less than half of the gaps are', () => {
    const usual = fc.integer({ min: 300, max: 100_000 });
    const odd = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { maxLength: 9 });
    fc.assert(
      fc.property(usual, odd, (seconds, others) => {
        const gaps = [...others.map((ms) => ms), ...Array(11).fill(seconds * 1_000)];
        const minutes = learnedOnlineMinutes({ ...NO_RADIO, gaps });
        expect(minutes).toBe(Math.min(Math.max(15, Math.round(seconds / 20)), 10_080));
        expect(learnedOnlineMinutes({ ...NO_RADIO, gaps: gaps.toReversed() })).toBe(minutes);
      }),
    );
  });

  it('keeps the last uplink, also when an older one comes late', () => {
    expect(after(uplink(5, 60), uplink(4, 0)).lastUplink?.fCnt).toBe(5);
  });

  it('is received best by the highest signal-to-noise ratio, then by the strongest signal', () => {
    const gateways = [
      { id: 'A', rssi: -30, snr: 1 },
      { id: 'B', rssi: -90, snr: 7 },
      { id: 'C', rssi: -80, snr: 7 },
      { id: 'D', rssi: -10, snr: null },
    ];
    expect(bestGateway(gateways)?.id).toBe('C');
    expect(bestGateway([])).toBeNull();
  });

  it('remembers 16 events, 20 gaps and 50 lines', () => {
    const events = Array.from({ length: 60 }, (_, n) => uplink(n, 60 * n));
    let radio = after(...events);
    for (let at = 0; at < 60; at += 1) {
      radio = logged(radio, { at, level: 'INFO', code: 'X', text: 'x'.repeat(400) });
    }
    expect([radio.recentIds.length, radio.gaps.length, radio.log.length]).toEqual([16, 20, 50]);
    expect([radio.log[0]?.at, radio.log[0]?.text.length]).toEqual([59, 300]);
  });
});
