import { Failure } from '../runtime/index.ts';

/** Looks at the credentials of an open stream now and then. */
export interface Recheck {
  tick(now: number): void;
}

export interface RecheckDeps {
  readonly everyMs: number;
  readonly openedAt: number;
  /** Whether the caller may still read alarm events; rejects when it may not even listen. */
  readonly readmit: () => Promise<boolean>;
  readonly onAlarmsRefused: () => void;
  readonly onRefused: () => void;
}

export function createRecheck(deps: RecheckDeps): Recheck {
  let checkedAt = deps.openedAt;
  let isChecking = false;

  async function check(): Promise<void> {
    isChecking = true;
    try {
      if (!(await deps.readmit())) deps.onAlarmsRefused();
    } catch (error) {
      const isRefused = error instanceof Failure && (error.status === 401 || error.status === 403);
      // Any other failure says nothing about the credentials.
      if (isRefused) deps.onRefused();
    } finally {
      isChecking = false;
    }
  }

  return {
    tick(now) {
      if (isChecking || now - checkedAt < deps.everyMs) return;
      checkedAt = now;
      void check();
    },
  };
}
