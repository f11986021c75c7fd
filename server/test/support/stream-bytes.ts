import type { Duplex } from 'node:stream';

/** Resolves with all bytes once so many have arrived. */
export function bytesOf(stream: Duplex, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      chunks.push(Buffer.from(chunk));
      length += chunk.length;
      if (length >= count) resolve(Buffer.concat(chunks));
    });
  });
}
