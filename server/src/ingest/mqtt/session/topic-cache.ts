import { isUtf8 } from 'node:buffer';
import type { DeviceHandle } from '../../../variables/index.ts';
import { isPublishable } from '../wire/index.ts';

/** The Device and the path that a topic stands for. */
export interface TopicRoute {
  readonly topic: string;
  readonly device: DeviceHandle;
  /** The topic below that of the Device. */
  readonly suffix: string;
  /** True for the Device that is signed in; any other Device has to be a child of it. */
  readonly isOwn: boolean;
  /** Why no Device may publish to the topic; null when its Devices may. */
  readonly refusal: string | null;
}

/** A topic that was published to before: one object, since a gateway has thousands of them. */
interface CachedTopic extends TopicRoute {
  /** Where its bytes are among those of all topics. */
  readonly start: number;
  readonly end: number;
  /** The topic that followed this one last time: Devices publish in rounds. */
  next: CachedTopic | undefined;
}

/** A gateway publishes for so many Devices without repeated parsing of its topics. */
const MAX_TOPICS = 4_096;

/** The routes of the topics of one connection, by their bytes: a Device repeats the same few topics. */
export class TopicCache {
  readonly #routeOf: (topic: string) => TopicRoute;
  readonly #entries = new Map<string, CachedTopic>();
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #last: CachedTopic | undefined;

  constructor(routeOf: (topic: string) => TopicRoute) {
    this.#routeOf = routeOf;
  }

  /** Null for a topic that MQTT forbids. */
  find(bytes: Buffer, start: number, end: number): TopicRoute | null {
    const last = this.#last;
    const next = last?.next;
    if (next !== undefined && this.#isAt(next, bytes, start, end)) {
      this.#last = next;
      return next;
    }
    // One character for each byte, so that different bytes are different keys.
    const key = bytes.toString('latin1', start, end);
    const known = this.#entries.get(key);
    if (known === undefined) return this.#add(key, bytes.subarray(start, end));
    this.#follow(known);
    return known;
  }

  #isAt(entry: CachedTopic, bytes: Buffer, start: number, end: number): boolean {
    return this.#bytes.compare(bytes, start, end, entry.start, entry.end) === 0;
  }

  #follow(entry: CachedTopic): void {
    if (this.#last !== undefined) this.#last.next = entry;
    this.#last = entry;
  }

  #add(key: string, raw: Buffer): TopicRoute | null {
    if (!isUtf8(raw)) return null;
    const text = raw.toString();
    if (!isPublishable(text)) return null;
    // Nearly all topics are ASCII, and one string serves as key and topic.
    const topic = text === key ? key : text;
    const route = this.#routeOf(topic);
    const { device, suffix, isOwn, refusal } = route;
    // A refused topic may be as long as MQTT allows and is not worth its memory.
    if (refusal !== null) return route;
    if (this.#entries.size >= MAX_TOPICS) this.#clear();
    const start = this.#append(raw);
    const end = this.#length;
    const entry = { topic, device, suffix, isOwn, refusal, start, end, next: undefined };
    this.#entries.set(key, entry);
    this.#follow(entry);
    return entry;
  }

  #append(raw: Buffer): number {
    const start = this.#length;
    if (start + raw.length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes.subarray(0, start)], 2 * start + raw.length);
    }
    raw.copy(this.#bytes, start);
    this.#length += raw.length;
    return start;
  }

  #clear(): void {
    this.#entries.clear();
    this.#last = undefined;
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}
