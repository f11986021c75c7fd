import type { Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { chunkRows, type Piece, pieceOf } from './chunk-row.ts';
import { merged } from './columns.ts';
import { type Fold, nextFold } from './fold.ts';
import type { ReadingsLimits } from './limits.ts';
import { decodeChunk } from './parts.ts';
import { insertChunks, listPieces, nextVariable, takeChunks } from './store.ts';

export interface CompactorDeps {
  readonly storage: Storage;
  readonly log: Log;
  readonly limits: ReadingsLimits;
}

const EVER = { from: -Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

/** Goes round all Variables and folds what late or few readings left in pieces. */
export class Compactor {
  readonly #deps: CompactorDeps;
  #last = 0;
  #isStopped = false;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: CompactorDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { compactEveryMs, compactVariables } = this.#deps.limits;
    this.#timer = setInterval(() => void this.#round(compactVariables), compactEveryMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** One round at a time; a failed one is tried again when its turn comes. */
  #round(variables: number): Promise<void> {
    this.#underWay ??= this.compact(variables)
      .catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'chunks could not be folded');
      })
      .finally(() => {
        this.#underWay = undefined;
      });
    return this.#underWay;
  }

  /** Folds all there is to fold of the next few Variables. */
  async compact(variables: number): Promise<void> {
    for (let done = 0; done < variables && !this.#isStopped; done += 1) {
      const number = await nextVariable(this.#deps.storage, this.#last);
      // Moved on before the work, so that a chunk that cannot be read stops no other Variable.
      this.#last = number ?? 0;
      if (number === undefined) return;
      await this.#compactVariable(number);
    }
  }

  async #compactVariable(number: number): Promise<void> {
    const { storage, limits } = this.#deps;
    let pieces: readonly Piece[] = await listPieces(storage, number, EVER.from, EVER.to);
    for (;;) {
      const fold = nextFold(pieces, limits.chunkReadings);
      if (!fold || this.#isStopped) return;
      const made = await rewrite(storage, number, fold);
      const left = pieces.filter((piece) => !fold.pieces.includes(piece));
      pieces = [...left, ...made].sort((a, b) => a.firstAt - b.firstAt);
    }
  }
}

/** Writes chunks anew. Fails, and changes nothing, when one of them is gone meanwhile. */
function rewrite(storage: Storage, number: number, fold: Fold): Promise<Piece[]> {
  return storage.transaction(async (tx) => {
    const pieces = fold.pieces.toSorted((a, b) => a.written - b.written);
    const data = await takeChunks(tx, number, pieces);
    const layers = pieces.map((piece, index) => decodeChunk(number, piece, data[index]));
    const kind = layers[0]?.kind ?? 'NUMBER';
    const rows = [...chunkRows(number, merged(kind, layers), fold.most)];
    await insertChunks(tx, fold.written, rows);
    return rows.map((row) => pieceOf(row, fold.written));
  });
}
