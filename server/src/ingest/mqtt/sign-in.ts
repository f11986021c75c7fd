import { matchesQuickHash } from '../../access/index.ts';
import { type Clock, createRateLimit, isUuid, type Log } from '../../runtime/index.ts';
import type { DeviceEntries, DeviceEntry } from '../../variables/index.ts';
import type { Followers } from './followers.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from './reasons.ts';

export interface SignInDeps {
  readonly entries: Pick<DeviceEntries, 'get' | 'peek'>;
  readonly followers: Pick<Followers, 'callerOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Presented {
  readonly clientId: string;
  readonly username: string | undefined;
  readonly password: Buffer | undefined;
  readonly address: string;
}

export type SignInResult =
  | { readonly device: DeviceEntry; readonly refusal?: never }
  /** An API key; the header that it would send over HTTP. */
  | { readonly authorization: string; readonly device?: never; readonly refusal?: never }
  | { readonly refusal: SignInRefusal; readonly device?: never };

/** Never rejects. */
export type SignIn = (presented: Presented) => Promise<SignInResult>;

const MAX_CLIENT_ID_LENGTH = 256;
const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };

/** Tells which Device a client is, or else which API key. */
export function createSignIn({ entries, followers, clock, log }: SignInDeps): SignIn {
  const failures = createRateLimit(clock, FAILURES);

  function wrong(username: string, address: string): SignInResult {
    const { allowed } = failures.hit(`${address} ${username.slice(0, 100)}`);
    return { refusal: allowed ? SIGN_IN_REFUSALS.wrong : SIGN_IN_REFUSALS.notAllowed };
  }

  /** What changed while it loaded is loaded again: an old password must not slip in behind a new one. */
  async function currentEntry(deviceId: string): Promise<DeviceEntry | null> {
    const loaded = await entries.get(deviceId);
    return loaded !== null && entries.peek(deviceId) !== loaded ? entries.get(deviceId) : loaded;
  }

  async function byKey(id: string, secret: Buffer, address: string): Promise<SignInResult> {
    const pair = Buffer.concat([Buffer.from(`${id}:`), secret]);
    const authorization = `Basic ${pair.toString('base64')}`;
    const caller = await followers.callerOf(authorization, address);
    return caller ? { authorization } : wrong(id, address);
  }

  return async ({ clientId, username = '', password, address }) => {
    if (clientId.length > MAX_CLIENT_ID_LENGTH || clientId.includes('\0')) {
      return { refusal: SIGN_IN_REFUSALS.badIdentifier };
    }
    if (username === '' || !password) return wrong(username, address);
    try {
      const device = isUuid(username) ? await currentEntry(username.toLowerCase()) : null;
      if (!device) return await byKey(username, password, address);
      if (!matchesQuickHash(device.passwordHash, password.toString())) {
        return wrong(username, address);
      }
      return device.takesReadings ? { device } : { refusal: SIGN_IN_REFUSALS.notAllowed };
    } catch (error) {
      log.warn({ err: error }, 'a client could not be looked up at its sign-in');
      return { refusal: SIGN_IN_REFUSALS.unavailable };
    }
  };
}
