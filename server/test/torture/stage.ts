import { setMaxListeners } from 'node:events';
import { createRandom } from '../support/random.ts';
import { complain, type Harness } from './harness.ts';
import { within } from './service.ts';
import { Timeline } from './timeline.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the harness of every run begins with. `stop` ends the traffic. */
export function beginHarness(seed: number) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const parts = {
    random: createRandom(seed),
    timeline: new Timeline(),
    complaints: new Map<string, number>(),
    closes: { count: 0 },
    stopping: stop.signal,
  };
  return { stop, parts };
}

/** Works, then cleans up: once, also when a signal comes at any time. */
export async function thenCleanUp<T>(
  work: () => Promise<T>,
  cleanUp: () => Promise<void>,
): Promise<T> {
  let cleaned: Promise<void> | undefined;
  const cleanUpOnce = () => {
    cleaned ??= cleanUp();
    return cleaned;
  };
  const interrupt = () => void cleanUpOnce().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    await cleanUpOnce();
  }
}

/** Whole seconds since now. */
export function stopwatch() {
  const begun = Date.now();
  return { begun, elapsed: () => Math.round((Date.now() - begun) / 1_000) };
}

/** Starts the traffic. Resolves when everything that was sent is acknowledged, or the time is over. */
export function runTraffic(harness: Harness, traffic: { run(): Promise<unknown> }) {
  const running = traffic.run();
  running.catch((error: unknown) => complain(harness, `traffic broke off: ${String(error)}`));
  return (limitMs: number) =>
    within(running, limitMs, 'an acknowledgement of everything').catch((error: unknown) =>
      complain(harness, String(error)),
    );
}

/** The complaints of clients with their counts, as text. */
export function complaintsOf({ complaints }: Harness): string[] {
  return [...complaints].map(([text, count]) => `${count}x ${text}`);
}
