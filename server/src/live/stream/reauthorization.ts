import { Failure } from '../../runtime/index.ts';

/** Looks at the credentials of an open stream now and then. */
export interface Recheck {
  tick(now: number): void;
  /** Looks at once. */
  run(): void;
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
  /** Asked for while a check is in progress, which may have read what was before. */
  let isDue = false;

  async function check(): Promise<void> {
    try {
      if (!(await deps.readmit())) deps.onAlarmsRefused();
    } catch (error) {
      const isRefused = error instanceof Failure && (error.status === 401 || error.status === 403);
      // Any other failure says nothing about the credentials.
      if (isRefused) deps.onRefused();
    }
  }

  async function run(): Promise<void> {
    isDue = true;
    if (isChecking) return;
    isChecking = true;
    while (isDue) {
      isDue = false;
      await check();
    }
    isChecking = false;
  }

  return {
    tick(now) {
      if (isChecking || now - checkedAt < deps.everyMs) return;
      checkedAt = now;
      void run();
    },
    run: () => void run(),
  };
}
