import { BlockList, isIP } from 'node:net';
import { parseRange } from './address-range.ts';

/**
 * Which proxies may name the client in `X-Forwarded-For`: the nearest so many, or those at the
 * listed addresses.
 */
export type TrustedProxies =
  | { readonly kind: 'hops'; readonly count: number }
  | { readonly kind: 'ranges'; readonly ranges: BlockList };

export const NO_PROXIES: TrustedProxies = { kind: 'hops', count: 0 };

/** `true` is one hop, a number is that many, anything else a list of addresses and CIDR ranges. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'false') return NO_PROXIES;
  if (text === 'true') return { kind: 'hops', count: 1 };
  if (/^\d{1,2}$/.test(text)) return { kind: 'hops', count: Number(text) };
  const ranges = new BlockList();
  for (const item of text.split(',')) {
    const range = parseRange(item.trim());
    if (!range) return undefined;
    ranges.addSubnet(range.network, range.prefix, range.family);
  }
  return { kind: 'ranges', ranges };
}

/**
 * The address of the client: of the connection itself, or the one that trusted proxies named. Each
 * proxy appends the address that it was called from, so the list is read from its end, and only as
 * far as trusted proxies wrote it. The reading stops at what is no IP address: whatever stands
 * further left may be the client's own invention.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  trusted: TrustedProxies,
): string {
  let address = plainAddress(peer ?? '') ?? '';
  if (forwardedFor === undefined || (trusted.kind === 'hops' && trusted.count === 0)) {
    return address;
  }
  const entries = [forwardedFor].flat().join(',').split(',');
  for (let hop = 0; isTrusted(trusted, address, hop); hop += 1) {
    const next = plainAddress(withoutPort(entries.pop()?.trim() ?? ''));
    if (next === undefined) return address;
    address = next;
  }
  return address;
}

/** Whether the far end of a connection is a proxy, and many clients share its address. */
export function isProxy(peer: string, trusted: TrustedProxies): boolean {
  if (trusted.kind === 'hops') return trusted.count > 0;
  return isTrusted(trusted, plainAddress(peer) ?? '', 0);
}

/** Whether a trusted proxy says that the client reached it over TLS. */
export function isForwardedTls(
  peer: string | undefined,
  forwardedProto: string | readonly string[] | undefined,
  trusted: TrustedProxies,
): boolean {
  if (!isProxy(peer ?? '', trusted)) return false;
  return [forwardedProto ?? ''].flat().join(',').split(',').at(-1)?.trim() === 'https';
}

function isTrusted(trusted: TrustedProxies, address: string, hop: number): boolean {
  if (trusted.kind === 'hops') return hop < trusted.count;
  const version = isIP(address);
  return version !== 0 && trusted.ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Some proxies append the port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address that came as IPv6 is written as IPv4; a zone is left out. */
function plainAddress(text: string): string | undefined {
  const address = text.split('%', 1)[0] ?? '';
  if (isIP(address) === 0) return undefined;
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

/**
 * What rate limits count an address by: IPv4 by the address, IPv6 by its /64, which is what one
 * subscriber is given at the least.
 */
export function rateLimitKey(address: string): string {
  const plain = plainAddress(address) ?? address;
  if (isIP(plain) !== 6) return plain;
  const groups = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
