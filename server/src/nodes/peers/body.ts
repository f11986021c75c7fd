import type { Http2Stream } from 'node:http2';

/** The length that the sender announced; null when there is none, or one beyond the limit. */
export function announcedLength(text: string | undefined, maxBytes: number): number | null {
  const length = /^\d{1,10}$/.test(text ?? '') ? Number(text) : Number.NaN;
  return length <= maxBytes ? length : null;
}

/** Reads a body of the announced length. Null when the stream ends before it, or goes on after it. */
export function readBody(stream: Http2Stream, length: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > length) resolve(null);
      else chunks.push(chunk);
    });
    stream.once('end', () => resolve(received === length ? joined(chunks, length) : null));
    stream.once('close', () => resolve(null));
    if (stream.destroyed) resolve(null);
  });
}

function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, length);
}
