import type { Queries } from '../storage/index.ts';
import type { Piece } from './chunk-row.ts';
import { type Columns, DamagedChunk, decode, decodeRange } from './codec/index.ts';
import { columnsOf, type Kind, merged, sliceOf, within } from './columns.ts';
import { listPieces, readChunks } from './store.ts';
import { type Source, type Stretch, stretchesOf } from './stretches.ts';

/** Which readings are asked for; both ends belong to it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Subject {
  readonly number: number;
  readonly kind: Kind;
  /** What was in memory when the question came. */
  readonly tail: Columns | undefined;
}

/**
 * The next readings in the order of time: themselves, or only what is known of them. The columns
 * are used again for those that follow.
 */
export type Part = { readonly piece: Piece } | { readonly columns: Columns };

/** Says whether a whole chunk's summary is enough. */
export type IsEnough = (piece: Piece) => boolean;

const CHUNKS_A_STATEMENT = 256;
const TAIL_SLICE = 1_024;
const MOST_RESTARTS = 100;

/**
 * All readings of a Variable within a range, in the order of time, each time once: from chunks and
 * memory together. Few of them are in memory at a time, and other work goes on between them.
 */
export async function* readParts(
  db: Queries,
  subject: Subject,
  range: Range,
  isEnough: IsEnough,
): AsyncGenerator<Part> {
  const room = new Room(subject.kind);
  let from = range.from;
  for (let restart = 0; restart <= MOST_RESTARTS; restart += 1) {
    const rest = { from, to: range.to };
    const pieces = await listPieces(db, subject.number, rest.from, rest.to);
    const sources: Source[] = [...pieces, ...tailSources(subject.tail, rest)];
    let isWhole = true;
    for (const batch of batches(clipped(sources, rest), isEnough)) {
      const chunks = await readBatch(db, subject.number, batch);
      // A chunk that was folded into another since it was listed: what is left is listed again.
      isWhole = chunks !== undefined;
      if (!chunks) break;
      for (const stretch of batch) {
        yield partOf(subject, stretch, chunks, room);
        from = stretch.to + 1;
      }
    }
    if (isWhole) return;
  }
  throw new Error(`The chunks of Variable ${subject.number} change faster than they can be read.`);
}

function* tailSources(tail: Columns | undefined, { from, to }: Range): Generator<Source> {
  if (!tail) return;
  const own = within(tail, from, to);
  const count = own.times.length;
  for (let start = 0; start < count; start += TAIL_SLICE) {
    const columns = sliceOf(own, start, Math.min(start + TAIL_SLICE, count));
    yield {
      columns,
      firstAt: columns.times[0] as number,
      lastAt: columns.times[columns.times.length - 1] as number,
      written: Number.MAX_SAFE_INTEGER,
    };
  }
}

function* clipped(sources: readonly Source[], { from, to }: Range): Generator<Stretch> {
  for (const stretch of stretchesOf(sources)) {
    if (stretch.to < from || stretch.from > to) continue;
    yield { ...stretch, from: Math.max(from, stretch.from), to: Math.min(to, stretch.to) };
  }
}

interface Planned extends Stretch {
  /** Set when it need not be decoded. */
  readonly piece?: Piece;
}

function* batches(stretches: Iterable<Stretch>, isEnough: IsEnough): Generator<Planned[]> {
  let batch: Planned[] = [];
  let chunks = 0;
  for (const stretch of stretches) {
    const piece = wholePiece(stretch);
    if (piece && isEnough(piece)) batch.push({ ...stretch, piece });
    else {
      batch.push(stretch);
      chunks += stretch.sources.length;
    }
    if (chunks < CHUNKS_A_STATEMENT) continue;
    yield batch;
    batch = [];
    chunks = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The chunk that a stretch is, when nothing else touches it and nothing is cut off. */
function wholePiece({ sources: [source, another], from, to }: Stretch): Piece | undefined {
  if (!source || another || source.columns) return undefined;
  return source.firstAt >= from && source.lastAt <= to ? source : undefined;
}

type Chunks = ReadonlyMap<Source, Buffer>;

/** The bytes that a batch needs; undefined when some are gone. */
async function readBatch(
  db: Queries,
  number: number,
  batch: readonly Planned[],
): Promise<Chunks | undefined> {
  const needed = new Set<Piece>();
  for (const { piece, sources } of batch) {
    if (piece) continue;
    for (const source of sources) if (!source.columns) needed.add(source);
  }
  const pieces = [...needed];
  const chunks = new Map<Source, Buffer>();
  if (pieces.length === 0) return chunks;
  const found = await readChunks(db, number, pieces);
  for (const [index, piece] of pieces.entries()) {
    const data = found[index];
    if (!data) return undefined;
    chunks.set(piece, data);
  }
  return chunks;
}

function partOf({ number, kind }: Subject, stretch: Planned, chunks: Chunks, room: Room): Part {
  if (stretch.piece) return { piece: stretch.piece };
  const [only, another] = stretch.sources;
  if (only && !another && !only.columns) {
    const into = room.of(only.count);
    const data = chunks.get(only);
    const count = named(number, only, () =>
      decodeRange(data ?? NO_BYTES, stretch.from, stretch.to, into, 0),
    );
    return { columns: sliceOf(into, 0, count) };
  }
  const layers = stretch.sources
    .toSorted((a, b) => a.written - b.written)
    .map((source) => {
      const columns = source.columns ?? decodeChunk(number, source, chunks.get(source));
      return within(columns, stretch.from, stretch.to);
    });
  return { columns: merged(kind, layers) };
}

const NO_BYTES = new Uint8Array();

export function decodeChunk(number: number, piece: Piece, data: Buffer | undefined): Columns {
  return named(number, piece, () => decode(data ?? NO_BYTES));
}

/** What is damaged is told by name. */
function named<T>(number: number, { firstAt, lastAt }: Piece, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DamagedChunk)) throw error;
    throw error.of(`of Variable ${number} from ${firstAt} to ${lastAt}`);
  }
}

/** Columns that one chunk after the other is decoded into. */
class Room {
  readonly #kind: Kind;
  #columns: Columns;

  constructor(kind: Kind) {
    this.#kind = kind;
    this.#columns = columnsOf(kind, 0);
  }

  of(count: number): Columns {
    if (count > this.#columns.times.length) this.#columns = columnsOf(this.#kind, count);
    return this.#columns;
  }
}
