import { BoundedMap, type Clock } from '../runtime/index.ts';
import type { Presented } from './present.ts';

/**
 * Responses of lists that many clients poll. A response is valid until anything changes in its
 * organization through this process, and for a second at most, since another program may change the
 * database too. Other nodes change it all the time: while there are any, it is valid for 50 ms.
 */
export interface ResponseCache {
  /** The cached response, or else the one that `load` resolves with, shared by parallel requests. */
  get(organizationId: string, key: string, load: () => Promise<Presented>): Promise<Presented>;
  /**
   * Begins the life of something else that was read from the organization, and returns whether it is
   * still valid. Called before it is read.
   */
  begin(organizationId: string): () => boolean;
  /** Makes all responses of the organization invalid. */
  invalidate(organizationId: string): void;
  /** Says from now on whether there are other nodes. */
  followPeers(hasPeers: () => boolean): void;
}

interface Limits {
  readonly ttlMs: number;
  readonly ttlWithPeersMs: number;
  readonly maxResponses: number;
  /** Longer bodies are not cached. */
  readonly maxBodyLength: number;
}

const RESPONSE_CACHE_LIMITS: Limits = {
  ttlMs: 1_000,
  ttlWithPeersMs: 50,
  maxResponses: 500,
  maxBodyLength: 64 * 1024,
};

interface Entry {
  /**
   * Shared by all requests that arrive while it is loading. Undefined where it was made from memory
   * for the first request: keeping it costs more than making it again, unless it is requested often.
   */
  response: Promise<Presented> | undefined;
  readonly isValid: () => boolean;
}

export function createResponseCache(clock: Clock, limits = RESPONSE_CACHE_LIMITS): ResponseCache {
  const entries = new BoundedMap<string, Entry>(limits.maxResponses);
  let hasPeers = () => false;
  const generations = new Map<string, number>();
  const generationOf = (organizationId: string) => generations.get(organizationId) ?? 0;

  function begin(organizationId: string): () => boolean {
    const generation = generationOf(organizationId);
    const loadedAt = clock.now();
    return () => {
      const age = clock.now() - loadedAt;
      const ttlMs = hasPeers() ? limits.ttlWithPeersMs : limits.ttlMs;
      return generationOf(organizationId) === generation && age >= 0 && age < ttlMs;
    };
  }

  /** A failure or a long response answers only the requests that were waiting for it. */
  async function loaded(
    key: string,
    response: Promise<Presented>,
    isFirst: boolean,
  ): Promise<Presented> {
    const presented = await response.catch(() => undefined);
    const entry = entries.get(key);
    if (entry?.response !== response) return response;
    const isCacheable = presented && (presented.body ?? '').length <= limits.maxBodyLength;
    if (!isCacheable) entries.delete(key);
    else if (presented.isFromMemory && isFirst) entry.response = undefined;
    return response;
  }

  return {
    get(organizationId, key, load) {
      const entry = entries.get(key);
      if (entry?.response && entry.isValid()) return entry.response;
      const isValid = begin(organizationId);
      const response = load();
      entries.set(key, { response, isValid });
      return loaded(key, response, entry === undefined);
    },
    begin,
    invalidate(organizationId) {
      generations.set(organizationId, generationOf(organizationId) + 1);
    },
    followPeers(isShared) {
      hasPeers = isShared;
    },
  };
}
