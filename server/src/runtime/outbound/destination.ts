import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type Allowed, hostName } from './allowed.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly Address[]>;

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Why there was no answer, in words for a person. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
}

export interface Destination {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly addresses: readonly Address[];
}

export interface DestinationDeps {
  readonly allowed: Allowed;
  readonly resolve?: Resolve;
}

const resolveAll: Resolve = (name) => lookup(name, { all: true });

/** Looks a name up once; what was looked at is what is connected to. */
export async function destinationOf(
  { allowed, resolve = resolveAll }: DestinationDeps,
  hostname: string,
  signal: AbortSignal,
): Promise<Destination> {
  const host = hostName(hostname.replaceAll(/^\[|\]$/g, ''));
  const family = isIP(host);
  const addresses =
    family === 0 ? await resolved(resolve, host, signal) : [{ address: host, family } as const];
  if (addresses.length === 0) throw new OutboundError('the host has no address');
  const isAllowed =
    (family === 0 && allowed.host(host)) ||
    addresses.every(({ address }) => allowed.address(address));
  if (!isAllowed) throw new OutboundError('the address is not a public one, and not allowed');
  return { host, addresses };
}

async function resolved(
  resolve: Resolve,
  name: string,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  try {
    return await Promise.race([resolve(name), rejectionOf(signal)]);
  } catch (error) {
    throw describe(error, signal, 'the host name could not be resolved');
  }
}

/** A DNS lookup that always returns the address that was resolved and checked before. */
export function pinned(addresses: readonly Address[]): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  };
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Texts for error codes that reveal nothing about the network behind the server. */
export function describe(error: unknown, signal: AbortSignal, otherwise: string): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) {
    const isLate = Object(signal.reason).name === 'TimeoutError';
    return new OutboundError(isLate ? 'there was no answer in time' : 'it was interrupted');
  }
  const { code } = Object(error) as { code?: unknown };
  return new OutboundError(typeof code === 'string' ? `${otherwise} (${code})` : otherwise, {
    cause: error,
  });
}
