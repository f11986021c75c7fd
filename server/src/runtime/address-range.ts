import { isIP } from 'node:net';

/** A range in CIDR notation; a single address is a range of one. */
export interface AddressRange {
  readonly network: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

export function parseRange(text: string): AddressRange | undefined {
  const [network = '', prefixText, ...rest] = text.split('/');
  const version = isIP(network);
  if (version === 0 || network.includes('%') || rest.length > 0) return undefined;
  const maxPrefix = version === 4 ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText)) return undefined;
  const prefix = prefixText === undefined ? maxPrefix : Number(prefixText);
  if (prefix > maxPrefix) return undefined;
  return { network, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}
