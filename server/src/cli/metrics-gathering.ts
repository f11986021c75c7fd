import type { Worker } from 'node:cluster';
import type { FromProcess, ToProcess } from './process-messages.ts';

/** A process that does not answer in time is left out. */
const ANSWER_LIMIT_MS = 2_000;

interface Gathering {
  readonly asker: Worker;
  readonly request: number;
  readonly texts: Map<number, string>;
  readonly asked: number;
  readonly timer: NodeJS.Timeout;
}

/** Gathers the metrics of all processes for the one that was asked for them. */
export class MetricsGathering {
  readonly #workers: () => ReadonlyMap<number, Worker>;
  readonly #inProgress = new Map<number, Gathering>();
  #last = 0;

  constructor(workers: () => ReadonlyMap<number, Worker>) {
    this.#workers = workers;
  }

  handle(worker: Worker, message: FromProcess): void {
    if (message.kind === 'GATHER_METRICS') this.#begin(worker, message.request);
    if (message.kind === 'OWN_METRICS') this.#add(worker, message.request, message.text);
  }

  #begin(asker: Worker, request: number): void {
    this.#last += 1;
    const id = this.#last;
    const connected = [...this.#workers().values()].filter((each) => each.isConnected());
    const timer = setTimeout(() => this.#finish(id), ANSWER_LIMIT_MS);
    const asked = connected.length;
    this.#inProgress.set(id, { asker, request, texts: new Map(), asked, timer });
    const question: ToProcess = { kind: 'READ_METRICS', request: id };
    for (const each of connected) each.send(question);
  }

  #add(worker: Worker, id: number, text: string): void {
    const gathering = this.#inProgress.get(id);
    const [number] = [...this.#workers()].find(([, each]) => each === worker) ?? [];
    if (!gathering || number === undefined) return;
    gathering.texts.set(number, text);
    if (gathering.texts.size === gathering.asked) this.#finish(id);
  }

  #finish(id: number): void {
    const gathering = this.#inProgress.get(id);
    if (!gathering) return;
    clearTimeout(gathering.timer);
    this.#inProgress.delete(id);
    const { asker, request, texts } = gathering;
    const answer: ToProcess = { kind: 'METRICS', request, texts: [...texts].toSorted(byNumber) };
    if (asker.isConnected()) asker.send(answer);
  }
}

function byNumber([a]: readonly [number, string], [b]: readonly [number, string]): number {
  return a - b;
}
