import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queries } from '../../storage/index.ts';
import type { VariableRef } from '../../variables/index.ts';
import { ALL_BYTES, type BytesWish, findBounds } from '../chunks/index.ts';
import type { BlockVisitor } from '../codec/index.ts';
import { type Columns, type Kind, valueAt } from '../columns/index.ts';
import type { Range, Value } from '../reading.ts';
import { type Part, PartReader, type Planned } from '../slices/index.ts';
import { type Bucket, Buckets, bucketMsOf } from './buckets.ts';
import type { IsEnough, Summed } from './plan.ts';
import { type Batch, readBatches, type Subject, type Undecoded } from './read-batches.ts';
import { type Segment, Segments } from './segments.ts';

/** A Variable as far as its history is concerned. */
export type HistoryRef = Pick<VariableRef, 'seriesId' | 'type'>;

export interface RawReadings {
  /** How many are in the range in all. */
  readonly count: number;
  readonly items: readonly { readonly timestamp: number; readonly value: Value }[];
  /** The time of the first one that did not fit. */
  readonly nextStartTime: number | null;
}

export interface ReaderDeps {
  readonly storage: Queries;
  /** What is in memory of a Variable's history. */
  readonly tail: (seriesId: number, kind: Kind) => Columns | undefined;
}

/** Readings that are worked through before others have their turn: 1.3 ms, as measured. */
const READINGS_A_SLICE = 32_768;

/** Few chunks have fewer readings than this. */
const LEAST_IN_A_CHUNK = 512;

const NEVER: IsEnough = () => false;

/** Those that the first so many readings are in. */
function firstChunks(take: number): BytesWish {
  return { partMs: ALL_BYTES, most: Math.ceil(take / LEAST_IN_A_CHUNK) + 1 };
}

/** Answers questions about the history of several Variables, in the order in which they are given. */
export class HistoryReader {
  readonly #deps: ReaderDeps;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  /** So many readings of each, at most, and how many there are. */
  async raw(refs: readonly HistoryRef[], range: Range, take: number): Promise<RawReadings[]> {
    const pages = refs.map(() => new Page(take));
    await this.#visit(refs, range, {
      isEnough: (_, __, readingsBefore) => readingsBefore >= take,
      wish: firstChunks(take),
      sum: (summed) => pages[summed.subject]?.sum(summed),
      add: ({ subject, columns }) => pages[subject]?.add(columns),
    });
    return pages;
  }

  /** Of NUMBERs. */
  async buckets(
    refs: readonly HistoryRef[],
    range: Range,
    count: number,
  ): Promise<(readonly Bucket[])[]> {
    const all = refs.map(() => new Buckets(range, count));
    const none = new Buckets(range, count);
    await this.#visit(refs, range, {
      isEnough: (pieces, index) => none.isPieceEnough(pieces, index),
      wish: { partMs: bucketMsOf(range, count), most: Infinity },
      sum: ({ subject, pieces, indexes }) => all[subject]?.addPieces(pieces, indexes),
      blocksOf: (subject) => all[subject] as Buckets,
    });
    return all.map((buckets) => buckets.items());
  }

  /** Null when there are more than so many in all. */
  async segments(
    refs: readonly HistoryRef[],
    range: Range,
    most: number,
  ): Promise<(readonly Segment[])[] | null> {
    const all = refs.map(() => new Segments());
    let count = 0;
    await this.#visit(refs, range, {
      add({ subject, columns }) {
        const segments = all[subject] as Segments;
        count -= segments.items.length;
        segments.add(columns);
        count += segments.items.length;
      },
      isDone: () => count > most,
    });
    return count <= most ? all.map(({ items }) => items) : null;
  }

  /** At least so many readings of each, where there are as many. */
  undecoded(refs: readonly HistoryRef[], range: Range, take: number): Undecoded {
    const isEnough: IsEnough = (_, __, readingsBefore) => readingsBefore >= take;
    const subjects = this.#subjects(refs);
    return {
      subjects: subjects.map(({ seriesId, kind }) => ({ seriesId, kind })),
      batches: readBatches(this.#deps.storage, { subjects, range, isEnough }),
    };
  }

  /** The first and the last time of them all; null when there are no readings. */
  async bounds(refs: readonly HistoryRef[]): Promise<Range | null> {
    const tails = this.#subjects(refs).map(({ tail }) => tail?.times);
    const seriesIds = refs.map(({ seriesId }) => seriesId);
    const stored = await findBounds(this.#deps.storage, seriesIds);
    let { from, to } = stored ?? { from: Infinity, to: -Infinity };
    for (const times of tails) {
      from = Math.min(from, times?.[0] ?? Infinity);
      to = Math.max(to, times?.at(-1) ?? -Infinity);
    }
    return from <= to ? { from, to } : null;
  }

  /** Memory first, then chunks: what is sealed in between is met twice, never missed. */
  #subjects(refs: readonly HistoryRef[]): Subject[] {
    return refs.map(({ seriesId, type: kind }) => {
      return { seriesId, kind, tail: this.#deps.tail(seriesId, kind) };
    });
  }

  /** Other work goes on in between. */
  async #visit(refs: readonly HistoryRef[], range: Range, visitor: Visitor): Promise<void> {
    const { isEnough = NEVER, wish, sum, isDone } = visitor;
    const subjects = this.#subjects(refs);
    const reader = new PartReader(subjects);
    let done = 0;
    const question = { subjects, range, isEnough, wish };
    for await (const batch of readBatches(this.#deps.storage, question)) {
      for (const summed of batch.summed) sum?.(summed);
      for (const stretch of batch.stretches) {
        done += shown(reader, stretch, batch, visitor);
        if (isDone?.()) return;
        if (done < READINGS_A_SLICE) continue;
        await nextTurn();
        done = 0;
      }
    }
  }
}

/** What becomes of readings. Summaries of chunks come before readings that are older than they. */
type Visitor = {
  readonly isEnough?: IsEnough;
  readonly wish?: BytesWish;
  readonly sum?: (summed: Summed) => void;
  /** Nothing more is needed. */
  readonly isDone?: () => boolean;
} & (
  | { readonly add: (part: Part) => void; readonly blocksOf?: undefined }
  | { readonly blocksOf: (subject: number) => BlockVisitor }
);

/** Answers how many readings it took to decode. */
function shown(reader: PartReader, stretch: Planned, { chunks }: Batch, visitor: Visitor): number {
  if (visitor.blocksOf) return reader.visit(stretch, chunks, visitor.blocksOf(stretch.subject));
  const part = reader.part(stretch, chunks);
  visitor.add(part);
  return part.columns.times.length;
}

/** The first readings of a range, and how many there are in all. */
class Page implements RawReadings {
  readonly items: { readonly timestamp: number; readonly value: Value }[] = [];
  count = 0;
  nextStartTime: number | null = null;
  readonly #take: number;

  constructor(take: number) {
    this.#take = take;
  }

  sum({ pieces, indexes }: Summed): void {
    for (const index of indexes) {
      this.count += pieces.countAt(index);
      this.#notTaken(pieces.firstAt[index] as number);
    }
  }

  add(columns: Columns): void {
    const { times } = columns;
    const taken = Math.min(times.length, this.#take - this.items.length);
    for (let index = 0; index < taken; index += 1) {
      this.items.push({ timestamp: times[index] as number, value: valueAt(columns, index) });
    }
    this.count += times.length;
    if (taken < times.length) this.#notTaken(times[taken] as number);
  }

  #notTaken(at: number): void {
    this.nextStartTime = Math.min(this.nextStartTime ?? Infinity, at);
  }
}
