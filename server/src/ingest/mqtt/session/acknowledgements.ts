import type { Completion } from '../../message.ts';
import type { Message } from '../relay/index.ts';
import type { QoS } from '../wire/index.ts';
import { type Outcome, STORED } from './outcome.ts';

/** The acknowledgement of one message, which is sent in the order of the messages. Completed once. */
export interface PendingAcknowledgement extends Completion {
  readonly qos: QoS;
  readonly messageId: number;
  /** The message for subscribers, forwarded once it is stored. */
  message: Message | undefined;
  complete(outcome: Outcome): void;
}

interface AcknowledgementsDeps {
  readonly send: (pending: PendingAcknowledgement, outcome: Outcome) => void;
  readonly outcomeOf: (error: unknown) => Outcome;
}

const MAX_SENT = 1_024;

/**
 * Sends acknowledgements in the order of the messages, whichever completes first: MQTT requires
 * this order.
 */
export class Acknowledgements {
  readonly #deps: AcknowledgementsDeps;
  #pending: OpenAcknowledgement[] = [];
  #sent = 0;
  #waiting: (() => void)[] = [];

  constructor(deps: AcknowledgementsDeps) {
    this.#deps = deps;
  }

  open(qos: QoS, messageId: number): PendingAcknowledgement {
    const pending = new OpenAcknowledgement(this, qos, messageId);
    this.#pending.push(pending);
    return pending;
  }

  outcomeOf(error: unknown): Outcome {
    return this.#deps.outcomeOf(error);
  }

  /** Sends completed acknowledgements, up to the first that is not completed. */
  drain(): void {
    for (;;) {
      const pending = this.#pending[this.#sent];
      if (pending?.outcome === undefined) break;
      this.#sent += 1;
      this.#deps.send(pending, pending.outcome);
    }
    if (this.#sent === this.#pending.length) {
      this.#pending = [];
      this.#sent = 0;
      const waiting = this.#waiting;
      if (waiting.length === 0) return;
      this.#waiting = [];
      for (const resolve of waiting) resolve();
    } else if (this.#sent >= MAX_SENT) {
      this.#pending = this.#pending.slice(this.#sent);
      this.#sent = 0;
    }
  }

  /** Resolves when all messages so far are acknowledged. */
  answered(): Promise<void> {
    if (this.#pending.length === this.#sent) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

class OpenAcknowledgement implements PendingAcknowledgement {
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

  complete(outcome: Outcome): void {
    this.outcome = outcome;
    this.#owner.drain();
  }

  stored(): void {
    this.complete(STORED);
  }

  failed(error: unknown): void {
    this.complete(this.#owner.outcomeOf(error));
  }
}
