/** Bytes that are not a valid chunk. None of their readings was used. */
export class DamagedChunk extends Error {
  readonly reason: string;
  /** Identifies the chunk; empty until `of` adds it. */
  readonly chunk: string;

  constructor(reason: string, chunk = '') {
    super(`The chunk${chunk && ` ${chunk}`} is damaged: ${reason}.`);
    this.name = 'DamagedChunk';
    this.reason = reason;
    this.chunk = chunk;
  }

  /** The same error with the identity of the chunk. */
  of(chunk: string): DamagedChunk {
    return new DamagedChunk(this.reason, chunk);
  }
}
