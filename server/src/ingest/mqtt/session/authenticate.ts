import { matchesQuickHash } from '../../../access/index.ts';
import {
  type Clock,
  createRateLimit,
  isUuid,
  type Log,
  rateLimitKey,
} from '../../../runtime/index.ts';
import type { CachedDevice, DeviceCache } from '../../../variables/index.ts';
import { CONNECT_REFUSALS, type ConnectRefusal } from '../wire/index.ts';
import type { AlarmSubscribers } from './alarm-subscribers.ts';
import type { SignedIn } from './sessions.ts';

export interface SignInDeps {
  readonly deviceCache: Pick<DeviceCache, 'get' | 'peek'>;
  readonly alarmSubscribers: Pick<AlarmSubscribers, 'callerOf'>;
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
  | { readonly device: SignedIn; readonly key?: never; readonly refusal?: never }
  | { readonly key: SignedInKey; readonly device?: never; readonly refusal?: never }
  | { readonly refusal: ConnectRefusal; readonly device?: never; readonly key?: never };

export interface SignedInKey {
  readonly id: string;
  /** The header that the key would send over HTTP. */
  readonly authorization: string;
}

/** Never rejects. */
export type SignIn = (presented: Presented) => Promise<SignInResult>;

const MAX_CLIENT_ID_LENGTH = 256;
const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };

/** Authenticates a client as a Device, or else by an API key. */
export function createSignIn({ deviceCache, alarmSubscribers, clock, log }: SignInDeps): SignIn {
  const failures = createRateLimit(clock, FAILURES);

  function wrong(username: string, address: string): SignInResult {
    const { allowed } = failures.hit(`${rateLimitKey(address)} ${username.slice(0, 100)}`);
    return { refusal: allowed ? CONNECT_REFUSALS.wrong : CONNECT_REFUSALS.notAllowed };
  }

  /** Reloads a Device that changed while it loaded: a replaced password must not be accepted. */
  async function currentDevice(deviceId: string): Promise<CachedDevice | null> {
    const loaded = await deviceCache.get(deviceId);
    return loaded !== null && deviceCache.peek(deviceId) !== loaded
      ? deviceCache.get(deviceId)
      : loaded;
  }

  async function byKey(id: string, secret: Buffer, address: string): Promise<SignInResult> {
    const pair = Buffer.concat([Buffer.from(`${id}:`), secret]);
    const authorization = `Basic ${pair.toString('base64')}`;
    const caller = await alarmSubscribers.callerOf(authorization, address);
    return caller ? { key: { id: caller.id, authorization } } : wrong(id, address);
  }

  return async ({ clientId, username = '', password, address }) => {
    if (clientId.length > MAX_CLIENT_ID_LENGTH) {
      return { refusal: CONNECT_REFUSALS.badIdentifier };
    }
    if (username === '' || !password) return wrong(username, address);
    try {
      const device = isUuid(username) ? await currentDevice(username.toLowerCase()) : null;
      if (!device) return await byKey(username, password, address);
      if (!matchesQuickHash(device.passwordHash, password.toString())) {
        return wrong(username, address);
      }
      return device.takesReadings ? { device } : { refusal: CONNECT_REFUSALS.notAllowed };
    } catch (error) {
      log.warn({ err: error }, 'could not look up an MQTT client at sign-in');
      return { refusal: CONNECT_REFUSALS.unavailable };
    }
  };
}
