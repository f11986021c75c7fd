import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../runtime/index.ts';

/** Where a listing goes on: behind the Device of this time and id, newest first. */
export interface CursorPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A cursor belongs to one listing: the organization and the search that it was given for. */
export interface Cursors {
  write(listing: readonly string[], position: CursorPosition): string;
  /** Undefined when this text is not a cursor of this listing. */
  read(listing: readonly string[], cursor: string): CursorPosition | undefined;
}

const TAG_BYTES = 16;

/** Cursors are signed, so that no client can forge one or use it in another list. */
export function createCursors(key: Buffer): Cursors {
  const tagOf = (listing: readonly string[], content: string) =>
    createHmac('sha256', key)
      .update(createHash('sha256').update(JSON.stringify(listing)).digest())
      .update(content)
      .digest()
      .subarray(0, TAG_BYTES);
  return {
    write(listing, { createdAt, id }) {
      const content = `${createdAt}.${id}`;
      return Buffer.concat([tagOf(listing, content), Buffer.from(content)]).toString('base64url');
    },
    read(listing, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined;
      const content = bytes.subarray(TAG_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(listing, content))) return undefined;
      const [createdAt = '', id = ''] = content.split('.');
      return isUuid(id) ? { createdAt: Number(createdAt), id } : undefined;
    },
  };
}
