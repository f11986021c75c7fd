import { type LinkGrant, tokenOf } from './token.ts';

/** Where a person acknowledges a page; null where people cannot reach the server. */
export type AcknowledgeUrl = (
  link: Omit<LinkGrant, 'expiresAt'> & { readonly now: number },
) => string | null;

const LINK_LIFE_MS = 24 * 3_600_000;

export function acknowledgeUrls(key: Buffer, publicUrl: string | null): AcknowledgeUrl {
  return ({ now, ...grant }) => {
    if (publicUrl === null) return null;
    return `${publicUrl}/a/${tokenOf(key, { ...grant, expiresAt: now + LINK_LIFE_MS })}`;
  };
}
