import { isUtf8 } from 'node:buffer';
import { addressOf, deviceTopic, isPublishable, isWithinLimits, suffixBelow } from './topic.ts';

/** Where a topic leads to. */
export interface Target {
  readonly topic: string;
  readonly deviceId: string;
  /** The topic below that of the Device. */
  readonly suffix: string;
  /** Of the Device that is signed in; otherwise it has to be a child of it. */
  readonly isOwn: boolean;
  /** Why nothing may be published there, whoever asks. */
  readonly refusal: string | null;
}

/** A gateway speaks for so many Devices without its topics being looked at again. */
const MOST_TOPICS = 4_096;

/** The topics of one connection, by their bytes: a Device publishes to the same few again and again. */
export class Targets {
  readonly #organizationId: string;
  readonly #deviceId: string;
  readonly #base: string;
  readonly #known = new Map<string, Target>();

  constructor({ organizationId, deviceId }: { organizationId: string; deviceId: string }) {
    this.#organizationId = organizationId;
    this.#deviceId = deviceId;
    this.#base = deviceTopic(organizationId, deviceId);
  }

  /** Null for what MQTT forbids as a topic. */
  find(bytes: Buffer, start: number, end: number): Target | null {
    // A character a byte, so that different bytes are different keys whatever they mean.
    const key = bytes.toString('latin1', start, end);
    const known = this.#known.get(key);
    if (known) return known;
    const raw = bytes.subarray(start, end);
    if (!isUtf8(raw)) return null;
    const topic = raw.toString();
    if (!isPublishable(topic)) return null;
    const target = this.of(topic);
    if (this.#known.size >= MOST_TOPICS) this.#known.clear();
    this.#known.set(key, target);
    return target;
  }

  of(topic: string): Target {
    if (!isWithinLimits(topic)) return refused(topic, 'The topic is too long or too deep.');
    const own = suffixBelow(this.#base, topic);
    if (own !== null) {
      return { topic, deviceId: this.#deviceId, suffix: own, isOwn: true, refusal: null };
    }
    const address = addressOf(topic);
    return address?.organizationId === this.#organizationId
      ? { topic, deviceId: address.deviceId, suffix: address.suffix, isOwn: false, refusal: null }
      : refused(topic, ELSEWHERE);
  }
}

export const ELSEWHERE = 'The Device may not publish to this topic.';

function refused(topic: string, refusal: string): Target {
  return { topic, deviceId: '', suffix: '', isOwn: false, refusal };
}
