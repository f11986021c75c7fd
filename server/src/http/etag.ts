import { createHash } from 'node:crypto';
import { Failure } from '../runtime/index.ts';

/** What `If-Match` asks of the record that is about to change. */
export interface Precondition {
  /** Fails with `PRECONDITION_FAILED` when the record is no longer the one the caller saw. */
  check(revision: number): void;
}

/**
 * A strong tag in two parts. The first is the record's revision, which every edit raises; the second
 * tells representations of one revision apart, since a record also shows what moves by itself
 * (when it was last used, whether it is online). `If-None-Match` compares the whole tag, `If-Match`
 * the revision alone: an edit conflicts with another edit, not with a reading that came in.
 */
export function etagOf(revision: number, body: string): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return `"${revision}-${digest}"`;
}

const OPAQUE_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

function tagsIn(header: string): string[] {
  return header.match(OPAQUE_TAG) ?? [];
}

/** True when the caller already holds this representation. Weak comparison, as RFC 9110 asks. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

export function precondition(ifMatch: string | undefined): Precondition {
  return {
    check(revision) {
      if (ifMatch === undefined || ifMatch.trim() === '*') return;
      if (tagsIn(ifMatch).some((tag) => tag.startsWith(`"${revision}-`))) return;
      throw new Failure('PRECONDITION_FAILED', 'The record has changed since the tag in If-Match.');
    },
  };
}
