import { describe, expect, it } from 'vitest';
import { createLorawanSite, type LorawanMessage } from './site.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 17, 0);
const site = createLorawanSite({ seed: 1, sensors: 50, intervalMs: 60_000 });
const messages = site.messagesBetween(START, START + 3 * HOUR);
const of = (kind: LorawanMessage['kind']) => messages.filter((each) => each.kind === kind);
const idOf = ({ body }: LorawanMessage) => body.deduplicationId;
const ofSensor = (index: number) =>
  of('up').filter(({ topic }) =>
    topic.includes(site.sensors[index]?.devEui.toLowerCase() ?? 'none'),
  );

describe('a simulated LoRaWAN site', () => {
  it('is the same for the same times, however these are divided, and in their order', () => {
    const halves = [
      ...site.messagesBetween(START, START + HOUR),
      ...site.messagesBetween(START + HOUR, START + 3 * HOUR),
    ];
    expect(halves).toEqual(messages);
    expect(messages.map(({ at }) => at)).toEqual(
      messages.map(({ at }) => at).toSorted((a, b) => a - b),
    );
  });

  it('loses some frames and repeats some events', () => {
    const uplinks = of('up');
    const distinct = new Set(uplinks.map(idOf));
    const share = (count: number) => count / (50 * 180);
    expect(share(distinct.size)).toBeGreaterThan(0.85);
    expect(share(distinct.size)).toBeLessThan(0.97);
    expect((uplinks.length - distinct.size) / distinct.size).toBeCloseTo(0.03, 2);
  });

  it('has a gateway that goes away, and sensors that only this one receives', () => {
    const states = of('conn').map(({ at, body }) => [(at - START) / HOUR, body.state]);
    expect(states).toEqual([
      [0, 'ONLINE'],
      [1.5, 'OFFLINE'],
      [2, 'ONLINE'],
    ]);
    const during = (index: number) =>
      ofSensor(index).filter(({ at }) => at >= START + 1.5 * HOUR && at < START + 2 * HOUR).length;
    expect(during(2)).toBe(0);
    expect(during(0)).toBeGreaterThan(20);
    expect(site.messagesBetween(START + 1.6 * HOUR, START + 1.6 * HOUR)).toHaveLength(3);
  });

  it('has gateways that send statistics every 30 seconds, unless they are offline', () => {
    const counts = site.gateways.map(({ eui }) => {
      const own = of('stats').filter(({ topic }) => topic.includes(eui.toLowerCase()));
      return own.filter(({ body }) => Number(body.rxPacketsReceived) > 0).length;
    });
    expect(counts).toEqual([360, 360, 300]);
  });

  it('has a battery that runs low', () => {
    const [devEui = ''] = site.sensors.map((sensor) => sensor.devEui.toLowerCase());
    const levels = of('status')
      .filter(({ topic }) => topic.includes(devEui))
      .map(({ body }) => Number(body.batteryLevel ?? 0));
    expect(levels.length).toBeGreaterThan(10);
    expect(levels).toEqual(levels.toSorted((a, b) => b - a));
    expect(levels.at(-1)).toBeLessThan(levels[0] ?? 0);
  });
});
