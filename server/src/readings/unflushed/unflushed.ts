import { setTimeout as sleep } from 'node:timers/promises';
import type { Ownership, Peers } from '../../nodes/index.ts';
import { type Clock, endsWithin, isServiceUnavailable } from '../../runtime/index.ts';
import { type Columns, joined } from '../columns/index.ts';
import type { ReadingsLimits } from '../limits.ts';
import type { Range } from '../reading.ts';
import { decodeAnswer, decodeQuestion, encodeAnswer, encodeQuestion } from './codec.ts';
import { type AnswerOwn, createAnswerOwn, type OwnReadingsDeps } from './own-readings.ts';
import { type Answer, type HistoryRef, MOVED, type Question } from './question.ts';

/*
 * The readings that are in no chunk yet, from the nodes that act for their Devices.
 *
 * Invariants
 *   A. An answer is that of a node which acts for the Device at that moment, and from which no other
 *      can have taken over. It has every acknowledged reading that was in no chunk then.
 *   B. The caller lists chunks after it has all answers: a reading that is flushed in between, or in
 *      the course of a hand-over, is found twice, never missed.
 *   C. While no such node is reached, the question is asked again for a limited time. A series that
 *      has no whole answer by then is reported as incomplete.
 */

export interface UnflushedDeps extends OwnReadingsDeps {
  readonly ownership: Ownership;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly clock: Clock;
  readonly limits: Pick<ReadingsLimits, 'maxOwnerWaitMs' | 'maxAnswerBytes'>;
}

const METHOD = 'read-unflushed';
const RETRY_MS = 50;
/** How often a question that is not answered yet compares its node with the owner. */
const OWNER_CHECK_MS = 100;
const ALL_TIMES = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** The unflushed readings of one series. */
export interface Unflushed {
  /** In time order; undefined when there are none. */
  readonly columns: Columns | undefined;
  /** Whether there may be more, at a node that was not reached. */
  readonly isIncomplete: boolean;
}

/** A series of a question, with what was answered so far. */
interface Pending {
  readonly ref: HistoryRef;
  readonly parts: Columns[];
  from: number;
  isIncomplete: boolean;
}

export class UnflushedReadings {
  readonly #deps: UnflushedDeps;
  readonly #answerOwn: AnswerOwn;

  constructor(deps: UnflushedDeps) {
    this.#deps = deps;
    this.#answerOwn = createAnswerOwn(deps);
    deps.peers.serve(METHOD, async (body) => {
      const question = decodeQuestion(body);
      const answer = await this.#answerOwn(question, deps.limits.maxAnswerBytes);
      return encodeAnswer(question, answer);
    });
  }

  /** The history of series within a range, in the order of the request. */
  history(refs: readonly HistoryRef[], range: Range): Promise<Unflushed[]> {
    return this.#collect('HISTORY', refs, range);
  }

  /** The newest value of each series in memory; a stored one may be newer. */
  latest(refs: readonly HistoryRef[]): Promise<Unflushed[]> {
    return this.#collect('LATEST', refs, ALL_TIMES);
  }

  async #collect(
    form: Question['form'],
    refs: readonly HistoryRef[],
    { from, to }: Range,
  ): Promise<Unflushed[]> {
    const all = refs.map((ref): Pending => ({ ref, parts: [], from, isIncomplete: true }));
    await this.#askOwners({ form, to }, all, this.#deadline());
    return all.map(({ ref, parts, isIncomplete }) => {
      const columns = parts.length > 1 ? joined(ref.type, parts) : parts[0];
      return { columns, isIncomplete };
    });
  }

  #deadline(): number {
    return this.#deps.clock.elapsed() + this.#deps.limits.maxOwnerWaitMs;
  }

  /** Asks each owner, and again for what is not answered. No owner delays the answer of another. */
  async #askOwners(
    question: Omit<Question, 'series'>,
    pending: readonly Pending[],
    deadline: number,
  ): Promise<void> {
    const { ownership, clock } = this.#deps;
    const byOwner = new Map<string | null, Pending[]>();
    for (const each of pending) {
      const owner = ownership.ownerOf(each.ref.deviceId);
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), each]);
    }
    const asked = [...byOwner].map(async ([owner, group]) => {
      const left = owner === null ? group : await this.#ask(owner, question, group, deadline);
      if (left.length === 0 || clock.elapsed() >= deadline) return;
      await sleep(RETRY_MS);
      await this.#askOwners(question, left, deadline);
    });
    await Promise.all(asked);
  }

  /** Asks a node until it has no more, and returns the series that it does not answer for. */
  async #ask(
    nodeId: string,
    question: Omit<Question, 'series'>,
    group: readonly Pending[],
    deadline: number,
  ): Promise<Pending[]> {
    const left: Pending[] = [];
    let open = group;
    for (let limit = deadline; open.length > 0; limit = this.#deadline()) {
      const series = open.map(({ ref, from }) => ({ ...ref, from }));
      const answer = await this.#answer(nodeId, { ...question, series }, limit);
      if (!answer) return [...left, ...open];
      open = open.filter((each, index) => {
        const found = answer[index] ?? MOVED;
        if (found === MOVED) {
          left.push(each);
          return false;
        }
        if (found.columns.times.length > 0) each.parts.push(found.columns);
        each.from = found.nextFrom ?? each.from;
        each.isIncomplete = found.nextFrom !== null;
        return each.isIncomplete;
      });
    }
    return left;
  }

  /** Undefined when the node is not reached, cannot answer, or is no longer the owner. */
  async #answer(nodeId: string, question: Question, deadline: number): Promise<Answer | undefined> {
    const { ownership, peers, clock } = this.#deps;
    if (nodeId === ownership.nodeId) return await this.#answerOwn(question, Infinity);
    const timeoutMs = Math.max(1, deadline - clock.elapsed());
    const call = peers.call(nodeId, METHOD, encodeQuestion(question), timeoutMs);
    const isOwner = () =>
      question.series.every(({ deviceId }) => ownership.ownerOf(deviceId) === nodeId);
    try {
      while (!(await endsWithin(OWNER_CHECK_MS, call))) if (!isOwner()) return undefined;
      return decodeAnswer(question, await call);
    } catch (error) {
      if (isServiceUnavailable(error)) return undefined;
      throw error;
    }
  }
}
