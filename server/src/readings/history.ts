import type { Queries } from '../storage/index.ts';
import type { Piece } from './chunk-row.ts';
import type { Columns } from './codec/index.ts';
import type { Kind } from './columns.ts';
import { PieceList } from './piece-list.ts';
import {
  type Holdings,
  type IsEnough,
  type PlannedBatch,
  planBatches,
  type Range,
} from './plan.ts';
import { listPiecesOf, readChunks } from './store.ts';
import type { Source } from './stretches.ts';

export interface Subject {
  readonly number: number;
  readonly kind: Kind;
  /** What was in memory when the question came. */
  readonly tail: Columns | undefined;
}

/** A planned batch with the chunks that it needs. */
export interface Batch extends Pick<PlannedBatch, 'summed' | 'stretches'> {
  readonly chunks: ReadonlyMap<Source, Buffer>;
}

/** Without a batch in between. */
const MOST_RESTARTS = 100;
/** Variables whose chunks are listed at once: few at first, so that the work begins soon. */
const FIRST_GROUP = 2;
const LARGEST_GROUP = 8;
const NO_PIECES = new PieceList(new Uint8Array());

/**
 * All readings of some Variables within a range, each time once: from chunks and memory together.
 * Few of them are in memory at a time. The next batch is fetched while one is worked on.
 */
export function readBatches(
  db: Queries,
  subjects: readonly Subject[],
  range: Range,
  isEnough: IsEnough,
): AsyncGenerator<Batch> {
  return ahead(fetchBatches(db, subjects, range, isEnough));
}

async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const next = () => {
    const step = source.next();
    // Who waits for it later is told of its failure; until then nobody is.
    step.catch(() => undefined);
    return step;
  };
  try {
    for (let step = next(); ; ) {
      const { value, done } = await step;
      if (done) return;
      step = next();
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

async function* fetchBatches(
  db: Queries,
  subjects: readonly Subject[],
  range: Range,
  isEnough: IsEnough,
): AsyncGenerator<Batch> {
  for (let first = 0, size = FIRST_GROUP; first < subjects.length; ) {
    const end = Math.min(first + size, subjects.length);
    yield* fetchGroup(db, subjects.slice(0, end), first, range, isEnough);
    first = end;
    size = Math.min(2 * size, LARGEST_GROUP);
  }
}

/** Those from a place on. */
async function* fetchGroup(
  db: Queries,
  subjects: readonly Subject[],
  first: number,
  range: Range,
  isEnough: IsEnough,
): AsyncGenerator<Batch> {
  /** What is not fetched yet begins here. */
  let rest = { subject: first, from: range.from };
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const holdings = await listHoldings(db, subjects, rest, range);
    let isWhole = true;
    for (const { summed, stretches, end } of planBatches(holdings, isEnough)) {
      const chunks = await readBatch(db, subjects, stretches);
      // A chunk that was folded into another since it was listed: what is left is listed again.
      isWhole = chunks !== undefined;
      if (!chunks) break;
      yield { summed, stretches, chunks };
      rest = { subject: end.subject, from: end.to + 1 };
      restart = 0;
    }
    if (isWhole) return;
  }
  const { number } = subjects[rest.subject] as Subject;
  throw new Error(`The chunks of Variable ${number} change faster than they can be read.`);
}

async function listHoldings(
  db: Queries,
  subjects: readonly Subject[],
  rest: { readonly subject: number; readonly from: number },
  range: Range,
): Promise<Holdings[]> {
  const left = subjects.slice(rest.subject);
  const numbers = left.map(({ number }) => number);
  const from = left.length > 1 ? range.from : rest.from;
  const pieces = await listPiecesOf(db, numbers, from, range.to);
  return left.map(({ number, tail }, index) => ({
    subject: rest.subject + index,
    range: index === 0 ? { from: rest.from, to: range.to } : range,
    pieces: pieces.get(number) ?? NO_PIECES,
    tail,
  }));
}

/** The bytes that stretches need; undefined when some are gone. */
async function readBatch(
  db: Queries,
  subjects: readonly Subject[],
  stretches: PlannedBatch['stretches'],
): Promise<ReadonlyMap<Source, Buffer> | undefined> {
  const needed = new Map<Piece, number>();
  for (const { sources, subject } of stretches) {
    for (const source of sources) {
      if (!source.columns) needed.set(source, (subjects[subject] as Subject).number);
    }
  }
  const pieces = [...needed.keys()];
  const chunks = new Map<Source, Buffer>();
  if (pieces.length === 0) return chunks;
  const found = await readChunks(db, [...needed.values()], pieces);
  for (const [index, piece] of pieces.entries()) {
    const data = found[index];
    if (!data) return undefined;
    chunks.set(piece, data);
  }
  return chunks;
}
