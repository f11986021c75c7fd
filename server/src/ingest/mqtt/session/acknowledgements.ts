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

/**
 * Sends acknowledgements in the order of the messages, whichever completes first: MQTT requires
 * this order.
 */
export class Acknowledgements {
  readonly #deps: AcknowledgementsDeps;
  /** The acknowledgements that are not sent, as a list from the first to the last. */
  #first: OpenAcknowledgement | undefined;
  #last: OpenAcknowledgement | undefined;
  #waiting: (() => void)[] = [];

  constructor(deps: AcknowledgementsDeps) {
    this.#deps = deps;
  }

  open(qos: QoS, messageId: number): PendingAcknowledgement {
    const pending = new OpenAcknowledgement(this, qos, messageId);
    if (this.#last === undefined) this.#first = pending;
    else this.#last.next = pending;
    this.#last = pending;
    return pending;
  }

  outcomeOf(error: unknown): Outcome {
    return this.#deps.outcomeOf(error);
  }

  /** Sends completed acknowledgements, up to the first that is not completed. */
  drain(): void {
    for (let pending = this.#first; pending?.outcome !== undefined; pending = this.#first) {
      this.#first = pending.next;
      if (this.#first === undefined) this.#last = undefined;
      this.#deps.send(pending, pending.outcome);
    }
    if (this.#first !== undefined || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when all messages so far are acknowledged. */
  answered(): Promise<void> {
    if (this.#first === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

class OpenAcknowledgement implements PendingAcknowledgement {
  readonly qos: QoS;
  readonly messageId: number;
  message: Message | undefined;
  outcome: Outcome | undefined;
  next: OpenAcknowledgement | undefined;
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
