/** Bytes that are not, or no longer, a chunk of history. Nothing of them was believed. */
export class DamagedChunk extends Error {
  readonly reason: string;
  /** Which chunk it is; empty until somebody who knows says so. */
  readonly chunk: string;

  constructor(reason: string, chunk = '') {
    super(`The chunk${chunk && ` ${chunk}`} is damaged: ${reason}.`);
    this.name = 'DamagedChunk';
    this.reason = reason;
    this.chunk = chunk;
  }

  /** The same damage, told with the name of its chunk. */
  of(chunk: string): DamagedChunk {
    return new DamagedChunk(this.reason, chunk);
  }
}
