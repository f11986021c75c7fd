import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, Report, Value } from '../model/index.ts';
import type { Members } from '../provision/index.ts';
import type { Connections } from './connections.ts';
import { Outbox } from './outbox.ts';

export interface PublisherOptions {
  readonly fleet: Fleet;
  readonly members: Members;
  readonly connections: Connections;
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const IN_FLIGHT = 100;
/** Readings of one Device per message, well below the maximum packet size of the server. */
const BATCH_READINGS = 1_500;
const SAY_EVERY_MS = 60_000;
const SAY_HISTORY_EVERY_MS = 3_000;
const LOOK_EVERY_MS = 250;
/** A stop does not wait long for a server that is unavailable. */
const FINISH_LIMIT_MS = 3_000;

interface Entry {
  readonly key: string;
  readonly value: Value;
  readonly timestamp: number;
}

export function createPublisher(options: PublisherOptions) {
  const { fleet, members, connections, now, say, signal } = options;
  const outbox = new Outbox(IN_FLIGHT, signal);
  let sent = 0;

  async function send({ device }: Pick<Report, 'device'>, payload: object, readings: number) {
    const topic = members.byName.get(device.name)?.topic ?? '';
    const gateway = device.gateway ?? device.name;
    await outbox.add(async () => {
      await connections.publish(gateway, topic, JSON.stringify(payload));
      sent += readings;
    });
  }

  return {
    /** Readings that the server has acknowledged. */
    sent: () => sent,
    /** Publishes what the fleet would have reported in that time. Ends early at a stop. */
    async history(from: number, to: number): Promise<void> {
      const kept = new Map<Report['device'], Entry[]>();
      let saidAt = now();
      for (const report of fleet.readingsBetween(from, to)) {
        if (signal.aborted) return;
        const entries = kept.get(report.device) ?? [];
        addEntries(entries, report);
        kept.set(report.device, entries);
        if (entries.length >= BATCH_READINGS) {
          kept.delete(report.device);
          await send(report, { dataArray: entries }, entries.length);
        }
        if (now() - saidAt >= SAY_HISTORY_EVERY_MS) {
          saidAt = now();
          say(`  ${Math.floor(((report.at - from) / (to - from)) * 100)} %, ${sent} readings`);
        }
      }
      for (const [device, dataArray] of kept)
        await send({ device }, { dataArray }, dataArray.length);
      await outbox.settled();
    },
    /**
     * Publishes as time passes, until it is stopped. With a speed above 1 the fleet runs faster than
     * the clock, and its reports carry the time of the clock.
     */
    async live(start: number, speed: number): Promise<void> {
      const fleetTime = (at: number) => start + (at - start) * speed;
      const clockTime = (at: number) => Math.round(start + (at - start) / speed);
      let upTo = start;
      let saidAt = start;
      while (!signal.aborted) {
        const until = now();
        if (until > upTo) {
          for (const report of fleet.readingsBetween(fleetTime(upTo), fleetTime(until))) {
            if (signal.aborted) break;
            const { values: data, at } = report;
            const payload = { timestamp: clockTime(at), data };
            await send(report, payload, Object.keys(data).length);
          }
          upTo = until;
        }
        if (until - saidAt >= SAY_EVERY_MS) {
          saidAt = until;
          say(`${sent} readings acknowledged, ${outbox.waiting} messages on their way`);
        }
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    /** Waits a short time for the acknowledgements of messages in flight. */
    async finish(): Promise<void> {
      await outbox.empty(FINISH_LIMIT_MS);
      if (outbox.waiting > 0) say(`${outbox.waiting} messages were not acknowledged.`);
    },
  };
}

function addEntries(entries: Entry[], { at, values }: Report): void {
  for (const [key, value] of Object.entries(values)) entries.push({ key, value, timestamp: at });
}
