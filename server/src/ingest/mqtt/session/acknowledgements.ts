import type { Taker } from '../../pipeline.ts';
import type { QoS } from '../wire/index.ts';
import type { Message } from './forwarding.ts';
import { type Outcome, TAKEN } from './outcome.ts';

/** The place of one message in the order of answers. Settled once. */
export interface Slot extends Taker {
  readonly qos: QoS;
  readonly messageId: number;
  /** What subscribers get once the message is taken. */
  message: Message | undefined;
  settle(outcome: Outcome): void;
}

interface AcknowledgementsDeps {
  readonly answer: (slot: Slot, outcome: Outcome) => void;
  readonly outcomeOf: (error: unknown) => Outcome;
}

const MAX_ANSWERED = 1_024;

/** Gives answers in the order of the messages, whichever of them is settled first. */
export class Acknowledgements {
  readonly #deps: AcknowledgementsDeps;
  #slots: OpenSlot[] = [];
  #answered = 0;
  #waiting: (() => void)[] = [];

  constructor(deps: AcknowledgementsDeps) {
    this.#deps = deps;
  }

  open(qos: QoS, messageId: number): Slot {
    const slot = new OpenSlot(this, qos, messageId);
    this.#slots.push(slot);
    return slot;
  }

  outcomeOf(error: unknown): Outcome {
    return this.#deps.outcomeOf(error);
  }

  /** Answers what is settled, up to the first that is not. */
  drain(): void {
    for (;;) {
      const slot = this.#slots[this.#answered];
      if (slot?.outcome === undefined) break;
      this.#answered += 1;
      this.#deps.answer(slot, slot.outcome);
    }
    if (this.#answered === this.#slots.length) {
      this.#slots = [];
      this.#answered = 0;
      const waiting = this.#waiting;
      if (waiting.length === 0) return;
      this.#waiting = [];
      for (const resolve of waiting) resolve();
    } else if (this.#answered >= MAX_ANSWERED) {
      this.#slots = this.#slots.slice(this.#answered);
      this.#answered = 0;
    }
  }

  /** Resolves when everything so far is answered. */
  answered(): Promise<void> {
    if (this.#slots.length === this.#answered) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

class OpenSlot implements Slot {
  readonly qos: QoS;
  readonly messageId: number;
  message: Message | undefined;
  outcome: Outcome | undefined;
  readonly #owner: Acknowledgements;

  constructor(owner: Acknowledgements, qos: QoS, messageId: number) {
    this.#owner = owner;
    this.qos = qos;
    this.messageId = messageId;
  }

  settle(outcome: Outcome): void {
    this.outcome = outcome;
    this.#owner.drain();
  }

  taken(): void {
    this.settle(TAKEN);
  }

  failed(error: unknown): void {
    this.settle(this.#owner.outcomeOf(error));
  }
}
