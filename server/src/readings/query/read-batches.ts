import type { Queries } from '../../storage/index.ts';
import {
  type BytesWish,
  listPiecesOf,
  type Piece,
  PieceList,
  readChunks,
} from '../chunks/index.ts';
import type { Columns } from '../columns/index.ts';
import type { Range } from '../reading.ts';
import type { Series, SliceBatch, Source } from '../slices/index.ts';
import { type Holdings, type IsEnough, type PlannedBatch, planBatches } from './plan.ts';

export interface Subject extends Series {
  /** What was in memory when the question came. */
  readonly tail: Columns | undefined;
}

/** A planned batch with the chunks that it needs. */
export interface Batch extends SliceBatch, Pick<PlannedBatch, 'summed'> {}

/** Readings of some Variables as stored. */
export interface Undecoded {
  readonly subjects: readonly Series[];
  readonly batches: AsyncGenerator<Batch>;
}

/** What is asked of the history of some Variables. */
export interface Question {
  readonly subjects: readonly Subject[];
  readonly range: Range;
  readonly isEnough: IsEnough;
  /** What will probably be needed of chunks, so that it comes with the list of them. */
  readonly wish?: BytesWish | undefined;
}

/** Without a batch in between. */
const MOST_RESTARTS = 100;
/** Variables whose chunks are listed at once: one at first, so that the work begins soon. */
const LARGEST_GROUP = 8;
/** Chunks that are listed at once, about, and at most so many with their bytes. */
const CHUNKS_A_GROUP = 1_024;
const NO_PIECES = new PieceList(Buffer.alloc(0));

/**
 * All readings of some Variables within a range, each time once: from chunks and memory together.
 * Few of them are in memory at a time. The next batch is fetched while one is worked on.
 */
export function readBatches(db: Queries, question: Question): AsyncGenerator<Batch> {
  return ahead(fetchBatches(db, question));
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

/** The next group is listed while one is fetched. */
async function* fetchBatches(db: Queries, question: Question): AsyncGenerator<Batch> {
  for await (const group of ahead(listGroups(db, question))) {
    yield* fetchGroup(db, question, group);
  }
}

/** Variables that stand side by side, with what each of them has. */
interface Group {
  readonly end: number;
  readonly holdings: readonly Holdings[];
}

/** Where what is not fetched yet begins. */
interface Place {
  readonly subject: number;
  readonly from: number;
}

/** As many Variables at once as have about so many chunks, when they are like the ones before. */
async function* listGroups(db: Queries, question: Question): AsyncGenerator<Group> {
  const { subjects, range } = question;
  for (let first = 0, size = 1; first < subjects.length; ) {
    const end = Math.min(first + size, subjects.length);
    const holdings = await listHoldings(db, question, { subject: first, from: range.from }, end);
    yield { end, holdings };
    const chunks = holdings.reduce((sum, { pieces }) => sum + pieces.length, 1);
    size = Math.ceil(Math.min((CHUNKS_A_GROUP * holdings.length) / chunks, LARGEST_GROUP));
    first = end;
  }
}

async function* fetchGroup(
  db: Queries,
  question: Question,
  { end, holdings }: Group,
): AsyncGenerator<Batch> {
  const { subjects, range, isEnough } = question;
  let rest: Place = { subject: holdings[0]?.subject ?? end, from: range.from };
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const left = restart === 0 ? holdings : await listHoldings(db, question, rest, end);
    let isWhole = true;
    for (const { summed, stretches, end: done } of planBatches(left, isEnough)) {
      const chunks = await readBatch(db, subjects, stretches);
      // A chunk that was folded into another since it was listed: what is left is listed again.
      isWhole = chunks !== undefined;
      if (!chunks) break;
      yield { summed, stretches, chunks };
      rest = { subject: done.subject, from: done.to + 1 };
      restart = 0;
    }
    if (isWhole) return;
  }
  const { seriesId } = subjects[rest.subject] as Subject;
  throw new Error(`The chunks of Variable ${seriesId} change faster than they can be read.`);
}

async function listHoldings(
  db: Queries,
  { subjects, range, wish }: Question,
  rest: Place,
  end: number,
): Promise<Holdings[]> {
  const left = subjects.slice(rest.subject, end);
  const seriesIds = left.map(({ seriesId }) => seriesId);
  const from = left.length > 1 ? range.from : rest.from;
  const most = Math.min(wish?.most ?? 0, Math.floor(CHUNKS_A_GROUP / left.length));
  const wished = wish && { partMs: wish.partMs, most };
  const pieces = await listPiecesOf(db, seriesIds, { from, to: range.to }, wished);
  return left.map(({ seriesId, tail }, index) => ({
    subject: rest.subject + index,
    range: index === 0 ? { from: rest.from, to: range.to } : range,
    pieces: pieces.get(seriesId) ?? NO_PIECES,
    tail,
  }));
}

/** The bytes that stretches need; undefined when some are gone. */
async function readBatch(
  db: Queries,
  subjects: readonly Subject[],
  stretches: PlannedBatch['stretches'],
): Promise<ReadonlyMap<Source, Buffer> | undefined> {
  const chunks = new Map<Source, Buffer>();
  const needed = new Map<Piece, number>();
  for (const { sources, subject } of stretches) {
    for (const source of sources) {
      if (source.columns) continue;
      if (source.data) chunks.set(source, source.data);
      else needed.set(source, (subjects[subject] as Subject).seriesId);
    }
  }
  const pieces = [...needed.keys()];
  if (pieces.length === 0) return chunks;
  const found = await readChunks(db, [...needed.values()], pieces);
  for (const [index, piece] of pieces.entries()) {
    const data = found[index];
    if (!data) return undefined;
    chunks.set(piece, data);
  }
  return chunks;
}
