import { BlockList, isIP } from 'node:net';
import { parseRange } from '../address-range.ts';
import { isPublicAddress } from './addresses.ts';

/** What may be called beyond the public network, as the operator configured it. */
export interface Allowed {
  /** A name that is trusted whatever it resolves to. */
  host(name: string): boolean;
  address(address: string): boolean;
}

const NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;
/** The URL reader would take such a name for an address. */
const NUMERIC_END = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** A name as it is compared: in lower case and without the dot of the root. */
export function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => hostName(item.trim()))
    .filter((item) => item !== '');
}

/** Whether each item of a comma-separated list is an address, a range (CIDR) or a host name. */
export function isAllowanceText(text: string): boolean {
  return itemsOf(text).every(
    (item) => parseRange(item) !== undefined || (NAME.test(item) && !NUMERIC_END.test(item)),
  );
}

export function parseAllowed(text: string): Allowed {
  const names = new Set<string>();
  const ranges = new BlockList();
  for (const item of itemsOf(text)) {
    const range = parseRange(item);
    if (range) ranges.addSubnet(range.network, range.prefix, range.family);
    else names.add(item);
  }
  return {
    host: (name) => names.has(hostName(name)),
    address(address) {
      if (isPublicAddress(address)) return true;
      if (address.includes('%')) return false;
      // A list of IPv4 ranges also matches their spellings within IPv6, which stay refused.
      if (/^::ffff:/i.test(address)) return false;
      const version = isIP(address);
      return version !== 0 && ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}
