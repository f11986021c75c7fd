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

/** A topic that was published to before. */
interface CacheEntry {
  readonly key: string;
  readonly route: TopicRoute;
  /** The topic that followed this one last time: Devices publish in rounds. */
  next: CacheEntry | undefined;
}

/** A gateway publishes for so many Devices without repeated parsing of its topics. */
const MAX_TOPICS = 4_096;

/** The routes of the topics of one connection, by their bytes: a Device repeats the same few topics. */
export class TopicCache {
  readonly #routeOf: (topic: string) => TopicRoute;
  readonly #entries = new Map<string, CacheEntry>();
  #last: CacheEntry | undefined;

  constructor(routeOf: (topic: string) => TopicRoute) {
    this.#routeOf = routeOf;
  }

  /** Null for a topic that MQTT forbids. */
  find(bytes: Buffer, start: number, end: number): TopicRoute | null {
    // One character for each byte, so that different bytes are different keys.
    const key = bytes.toString('latin1', start, end);
    const last = this.#last;
    const next = last?.next;
    const entry =
      next !== undefined && next.key === key
        ? next
        : (this.#entries.get(key) ?? this.#add(key, bytes, start));
    if (entry === null) return null;
    if (entry.route.refusal !== null) return entry.route;
    if (last !== undefined) last.next = entry;
    this.#last = entry;
    return entry.route;
  }

  #add(key: string, bytes: Buffer, start: number): CacheEntry | null {
    const raw = bytes.subarray(start, start + key.length);
    if (!isUtf8(raw)) return null;
    const topic = raw.toString();
    if (!isPublishable(topic)) return null;
    const entry = { key, route: this.#routeOf(topic), next: undefined };
    // A refused topic may be as long as MQTT allows and is not worth its memory.
    if (entry.route.refusal !== null) return entry;
    if (this.#entries.size >= MAX_TOPICS) this.#entries.clear();
    this.#entries.set(key, entry);
    return entry;
  }
}
