import { isUtf8 } from 'node:buffer';
import type { DeviceHandle } from '../../../variables/index.ts';
import { isPublishable } from '../wire/index.ts';

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

/** A topic that was published to. */
interface Known {
  readonly key: string;
  readonly target: Target;
  /** The one that came next the last time: Devices send in rounds. */
  next: Known | undefined;
}

/** A gateway speaks for so many Devices without its topics being looked at again. */
const MAX_TOPICS = 4_096;

/** The topics of one connection, by their bytes: a Device publishes to the same few again and again. */
export class Targets {
  readonly #routeOf: (topic: string) => Target;
  readonly #known = new Map<string, Known>();
  #last: Known | undefined;

  constructor(routeOf: (topic: string) => Target) {
    this.#routeOf = routeOf;
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
    const known = { key, target: this.#routeOf(topic), next: undefined };
    // What is refused may be as long as MQTT allows, and would be kept for nothing.
    if (known.target.refusal !== null) return known;
    if (this.#known.size >= MAX_TOPICS) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }
}
