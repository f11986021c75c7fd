import { matchesQuickHash } from '../../access/index.ts';
import { type Clock, createRateLimit, isUuid, type Log } from '../../runtime/index.ts';
import type { DeviceEntries, DeviceEntry } from '../../variables/index.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from './reasons.ts';

export interface SignInDeps {
  readonly entries: Pick<DeviceEntries, 'get' | 'peek'>;
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
  | { readonly device: DeviceEntry }
  | { readonly refusal: SignInRefusal; readonly device?: never };

/** Never rejects. */
export type SignIn = (presented: Presented) => Promise<SignInResult>;

const MAX_CLIENT_ID_LENGTH = 256;
const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };

/** Tells which Device a client is. */
export function createSignIn({ entries, clock, log }: SignInDeps): SignIn {
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

  return async ({ clientId, username = '', password, address }) => {
    if (clientId.length > MAX_CLIENT_ID_LENGTH || clientId.includes('\0')) {
      return { refusal: SIGN_IN_REFUSALS.badIdentifier };
    }
    if (!isUuid(username) || !password) return wrong(username, address);
    try {
      const device = await currentEntry(username.toLowerCase());
      if (!device || !matchesQuickHash(device.passwordHash, password.toString())) {
        return wrong(username, address);
      }
      return device.takesReadings ? { device } : { refusal: SIGN_IN_REFUSALS.notAllowed };
    } catch (error) {
      log.warn({ err: error }, 'a Device could not be looked up at its sign-in');
      return { refusal: SIGN_IN_REFUSALS.unavailable };
    }
  };
}
