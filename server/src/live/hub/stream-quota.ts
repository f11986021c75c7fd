import type { LiveEndReason } from '@fieldwatch/contract';
import { Failure } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';

/** Counts open streams and enforces their limits. */
export interface StreamQuota {
  /** Returns a function that releases the stream; fails when a limit is reached. */
  take(organizationId: string, credential: string): () => void;
  noteEnd(reason: LiveEndReason): void;
  totals(): Readonly<Record<string, number>>;
  /** Refuses every further stream. */
  close(): void;
}

type StreamQuotaLimits = Pick<LiveLimits, 'maxStreams' | 'maxPerOrganization' | 'maxPerCredential'>;

const RETRY_SECONDS = 10;

export function createStreamQuota(limits: StreamQuotaLimits): StreamQuota {
  const taken = new Map<string, number>();
  const totals: Record<string, number> = { opened: 0, closed: 0, refused: 0 };
  let streams = 0;
  let isClosed = false;

  const count = (what: string) => {
    totals[what] = (totals[what] ?? 0) + 1;
  };

  function move(key: string, by: 1 | -1): void {
    const left = (taken.get(key) ?? 0) + by;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  }

  function refusal(ofOrganization: number, ofCredential: number): Failure | null {
    if (isClosed || streams >= limits.maxStreams) {
      return overfull('OVERLOADED', 'There are too many live streams; try again later.');
    }
    if (ofOrganization >= limits.maxPerOrganization) {
      const detail = `At most ${limits.maxPerOrganization} live streams of one organization.`;
      return overfull('TOO_MANY_REQUESTS', detail);
    }
    if (ofCredential >= limits.maxPerCredential) {
      const detail = `At most ${limits.maxPerCredential} live streams of one credential.`;
      return overfull('TOO_MANY_REQUESTS', detail);
    }
    return null;
  }

  return {
    take(organizationId, credential) {
      const keys = [organizationId, credential];
      const refused = refusal(taken.get(organizationId) ?? 0, taken.get(credential) ?? 0);
      if (refused) {
        count('refused');
        throw refused;
      }
      for (const key of keys) move(key, 1);
      streams += 1;
      count('opened');
      return () => {
        for (const key of keys) move(key, -1);
        streams -= 1;
        count('closed');
      };
    },
    noteEnd: (reason) => count(reason.toLowerCase()),
    totals: () => totals,
    close() {
      isClosed = true;
    },
  };
}

function overfull(code: 'OVERLOADED' | 'TOO_MANY_REQUESTS', detail: string): Failure {
  return new Failure(code, detail, { retryAfterSeconds: RETRY_SECONDS });
}
