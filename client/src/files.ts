import { failureOf } from './errors.ts';
import { orUnreachable, type Send } from './exchange.ts';

export const FILE_MEDIA_TYPES = {
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
} as const;

/** The reply with a file, of which more will come. */
export async function openFile(send: Send, ...sent: Parameters<Send>): Promise<Response> {
  const reply = await send(...sent);
  const type = reply.headers.get('content-type')?.split(';')[0];
  const isFile = Object.values<string | undefined>(FILE_MEDIA_TYPES).includes(type);
  if (reply.ok && isFile) return reply;
  throw failureOf(reply.status, reply.headers, await orUnreachable(reply.text()));
}

/** Reads the file to its end. A file that is cut off is a failed connection. */
export async function readFile(
  reply: Response,
  onBytes: ((count: number) => void) | undefined,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  const reader = reply.body?.getReader();
  while (reader) {
    const { done, value } = await orUnreachable(reader.read());
    if (done) break;
    parts.push(value);
    count += value.length;
    onBytes?.(count);
  }
  return new Blob(parts, { type: reply.headers.get('content-type') ?? '' });
}
