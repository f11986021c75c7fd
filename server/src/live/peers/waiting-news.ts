import type { LiveDevice } from '@fieldwatch/contract';
import type { LiveReading } from '../announcement.ts';
import type { LiveNews } from '../news.ts';

interface OrganizationNews {
  readonly readings: Map<string, LiveReading>;
  readonly devices: Map<string, LiveDevice>;
  missed: number;
}

/** The weight of a value or a Device; long texts weigh more. */
const ITEM_WEIGHT = 128;

/** What waits for another node: the newest value of each Variable and state of each Device. */
export class WaitingNews {
  readonly #maxWeight: number;
  #organizations = new Map<string, OrganizationNews>();
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get isEmpty(): boolean {
    return this.#organizations.size === 0;
  }

  putReading(reading: LiveReading): void {
    const { id, organizationId } = reading.variable;
    const news = this.#newsOf(organizationId);
    const old = news.readings.get(id);
    if (old && old.at > reading.at) return;
    if (old) this.#weight -= weightOf(old);
    if (this.#weight + weightOf(reading) > this.#maxWeight) {
      // An old value must not be sent as the newest.
      news.readings.delete(id);
      news.missed += 1;
      return;
    }
    this.#weight += weightOf(reading);
    news.readings.set(id, reading);
  }

  putDevice(organizationId: string, device: LiveDevice): void {
    const news = this.#newsOf(organizationId);
    const isNew = !news.devices.has(device.deviceId);
    if (isNew && this.#weight + ITEM_WEIGHT > this.#maxWeight) {
      news.missed += 1;
      return;
    }
    if (isNew) this.#weight += ITEM_WEIGHT;
    news.devices.set(device.deviceId, device);
  }

  /** Removes and returns everything. */
  take(): LiveNews[] {
    const news = [...this.#organizations].map(
      ([organizationId, { readings, devices, missed }]) => ({
        organizationId,
        readings: [...readings.values()],
        devices: [...devices.values()],
        missed,
      }),
    );
    this.clear();
    return news;
  }

  /** Puts back what was not delivered. What came meanwhile is newer. */
  putBack(news: readonly LiveNews[]): void {
    const newer = this.take();
    for (const { organizationId, readings, devices, missed } of [...news, ...newer]) {
      for (const reading of readings) this.putReading(reading);
      for (const device of devices) this.putDevice(organizationId, device);
      this.#newsOf(organizationId).missed += missed;
    }
  }

  clear(): void {
    this.#organizations = new Map();
    this.#weight = 0;
  }

  #newsOf(organizationId: string): OrganizationNews {
    let news = this.#organizations.get(organizationId);
    if (!news) {
      news = { readings: new Map(), devices: new Map(), missed: 0 };
      this.#organizations.set(organizationId, news);
    }
    return news;
  }
}

function weightOf({ value }: LiveReading): number {
  return ITEM_WEIGHT + (typeof value === 'string' ? value.length : 0);
}
