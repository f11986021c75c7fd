import { Failure } from '../../runtime/index.ts';

/** Checks the credentials of an open stream periodically. */
export interface Reauthorization {
  tick(now: number): void;
  /** Checks at once. */
  run(): void;
}

export interface ReauthorizationDeps {
  readonly everyMs: number;
  readonly openedAt: number;
  /** Whether the caller may still read alarm events; rejects when it may not use the stream. */
  readonly reauthorize: () => Promise<boolean>;
  readonly onAlarmsRefused: () => void;
  readonly onRefused: () => void;
}

export function createReauthorization(deps: ReauthorizationDeps): Reauthorization {
  let checkedAt = deps.openedAt;
  let isChecking = false;
  /** A check was requested during another one, which may have read an older state. */
  let isDue = false;

  async function check(): Promise<void> {
    try {
      if (!(await deps.reauthorize())) deps.onAlarmsRefused();
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
