import { isUtf8 } from 'node:buffer';
import type { DeviceEntries, DeviceHandle } from '../../variables/index.ts';
import { addressOf, deviceTopic, isPublishable, isWithinLimits, suffixBelow } from './topic.ts';

/** Where a topic leads to. */
export interface Target {
  readonly topic: string;
  readonly device: DeviceHandle;
  /** The topic below that of the Device. */
  readonly suffix: string;
  /** Of the Device that is signed in; otherwise it has to be a child of it. */
  readonly isOwn: boolean;
  /** Why nothing may be published there, whoever asks. */
  readonly refusal: string | null;
}

interface Address {
  readonly organizationId: string;
  readonly deviceId: string;
}

/** A topic that was published to. */
interface Known {
  readonly key: string;
  readonly target: Target;
  /** The one that came next the last time: Devices send in rounds. */
  next: Known | undefined;
}

/** A gateway speaks for so many Devices without its topics being looked at again. */
const MOST_TOPICS = 4_096;

/** The topics of one connection, by their bytes: a Device publishes to the same few again and again. */
export class Targets {
  readonly #entries: Pick<DeviceEntries, 'handle'>;
  readonly #organizationId: string;
  readonly #own: DeviceHandle;
  readonly #base: string;
  readonly #known = new Map<string, Known>();
  #last: Known | undefined;

  constructor(entries: Pick<DeviceEntries, 'handle'>, { organizationId, deviceId }: Address) {
    this.#entries = entries;
    this.#organizationId = organizationId;
    this.#own = entries.handle(deviceId);
    this.#base = deviceTopic(organizationId, deviceId);
  }

  /** Null for what MQTT forbids as a topic. */
  find(bytes: Buffer, start: number, end: number): Target | null {
    // A character a byte, so that different bytes are different keys whatever they mean.
    const key = bytes.toString('latin1', start, end);
    const last = this.#last;
    const next = last?.next;
    const known =
      next !== undefined && next.key === key
        ? next
        : (this.#known.get(key) ?? this.#add(key, bytes, start));
    if (known === null) return null;
    if (known.target.refusal !== null) return known.target;
    if (last !== undefined) last.next = known;
    this.#last = known;
    return known.target;
  }

  #add(key: string, bytes: Buffer, start: number): Known | null {
    const raw = bytes.subarray(start, start + key.length);
    if (!isUtf8(raw)) return null;
    const topic = raw.toString();
    if (!isPublishable(topic)) return null;
    const known = { key, target: this.of(topic), next: undefined };
    // What is refused may be as long as MQTT allows, and would be kept for nothing.
    if (known.target.refusal !== null) return known;
    if (this.#known.size >= MOST_TOPICS) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }

  of(topic: string): Target {
    if (!isWithinLimits(topic)) return this.#refused(topic, 'The topic is too long or too deep.');
    const own = suffixBelow(this.#base, topic);
    if (own !== null) return { topic, device: this.#own, suffix: own, isOwn: true, refusal: null };
    const address = addressOf(topic);
    if (address?.organizationId !== this.#organizationId) return this.#refused(topic, ELSEWHERE);
    const device = this.#entries.handle(address.deviceId);
    return { topic, device, suffix: address.suffix, isOwn: false, refusal: null };
  }

  #refused(topic: string, refusal: string): Target {
    return { topic, device: this.#own, suffix: '', isOwn: false, refusal };
  }
}

export const ELSEWHERE = 'The Device may not publish to this topic.';
