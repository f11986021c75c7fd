import { every, type Periodic } from '../runtime/index.ts';
import { HEARTBEAT_MS } from './steadiness.ts';

/** What has ended by the clock of the database has certainly ended when it is looked at. */
const MARGIN_MS = 10;

/** Repeats work every two seconds, and once more at a moment in between. */
export class Heartbeat {
  readonly #beats: Periodic;
  readonly #extra: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor(beat: () => Promise<void> | undefined, onError: (error: unknown) => void) {
    this.#beats = every(HEARTBEAT_MS, beat, onError);
    this.#extra = () => void beat()?.catch(onError);
  }

  start(): void {
    this.#isStarted = true;
    this.#beats.start();
  }

  /** Beats when this time has passed, in place of the extra beat that was scheduled before. */
  beatIn(ms: number): void {
    clearTimeout(this.#timer);
    // A later one follows a regular beat, which schedules it again.
    if (!this.#isStarted || ms > HEARTBEAT_MS) return;
    this.#timer = setTimeout(this.#extra, ms + MARGIN_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    await this.#beats.stop();
  }
}
