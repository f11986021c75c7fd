import type { PeerLimits } from './limits.ts';

/** The place of a call in the order: it waits, then takes part, until it leaves. */
export interface Turn {
  readonly bytes: number;
  readonly onTurn: () => void;
  state: 'waiting' | 'running' | 'over';
}

type TurnLimits = Pick<
  PeerLimits,
  'maxConcurrentCalls' | 'maxBytesInFlight' | 'maxWaitingCalls' | 'maxWaitingBytes'
>;

/**
 * Bounds the calls to one node and their bytes. Beyond the bound calls wait in the order in which
 * they came: a large one is not overtaken by small ones.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #waiting: Turn[] = [];
  #waitingBytes = 0;
  #running = 0;
  #runningBytes = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Calls `onTurn` at once or later. Null when too many wait. */
  enter(bytes: number, onTurn: () => void): Turn | null {
    const turn: Turn = { bytes, onTurn, state: 'waiting' };
    if (this.#waiting.length === 0 && this.#fits(turn)) {
      this.#run(turn);
      return turn;
    }
    const { maxWaitingCalls, maxWaitingBytes } = this.#limits;
    const isFull =
      this.#waiting.length >= maxWaitingCalls || this.#waitingBytes + bytes > maxWaitingBytes;
    if (isFull) return null;
    this.#waiting.push(turn);
    this.#waitingBytes += bytes;
    return turn;
  }

  leave(turn: Turn): void {
    if (turn.state === 'waiting') {
      this.#waiting.splice(this.#waiting.indexOf(turn), 1);
      this.#waitingBytes -= turn.bytes;
    }
    if (turn.state === 'running') {
      this.#running -= 1;
      this.#runningBytes -= turn.bytes;
    }
    turn.state = 'over';
    this.#runNext();
  }

  #runNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes;
      this.#run(next);
    }
  }

  #run(turn: Turn): void {
    turn.state = 'running';
    this.#running += 1;
    this.#runningBytes += turn.bytes;
    turn.onTurn();
  }

  #fits({ bytes }: Turn): boolean {
    const { maxConcurrentCalls, maxBytesInFlight } = this.#limits;
    return this.#running < maxConcurrentCalls && this.#runningBytes + bytes <= maxBytesInFlight;
  }
}
