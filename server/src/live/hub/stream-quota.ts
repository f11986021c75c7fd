import type { LiveEndReason } from '@fieldwatch/contract';
import { Failure } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';

/** How many streams there are, and how many there may be. */
export interface Seats {
  /** Answers how to leave, or fails when there is no room. */
  take(organizationId: string, credential: string): () => void;
  noteEnd(reason: LiveEndReason): void;
  totals(): Readonly<Record<string, number>>;
  /** From now on there is room for nobody. */
  close(): void;
}

type SeatLimits = Pick<LiveLimits, 'maxStreams' | 'maxOfOrganization' | 'maxOfCredential'>;

const RETRY_SECONDS = 10;

export function createSeats(limits: SeatLimits): Seats {
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
    if (ofOrganization >= limits.maxOfOrganization) {
      const most = `At most ${limits.maxOfOrganization} live streams of one organization.`;
      return overfull('TOO_MANY_REQUESTS', most);
    }
    if (ofCredential >= limits.maxOfCredential) {
      const most = `At most ${limits.maxOfCredential} live streams of one credential.`;
      return overfull('TOO_MANY_REQUESTS', most);
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
