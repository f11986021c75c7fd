import type { Clock, Keyring } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import * as store from './store.ts';
import { createVapidKeys, type VapidKeys } from './vapid.ts';

const PURPOSE = 'web-push-key';
const BINDING = ['web_push_keys', 'encrypted_private_key'];

interface PushKeysDeps {
  readonly storage: Storage;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** The key pair of the installation: made at the first use, the same for all nodes. */
export type PushKeys = () => Promise<VapidKeys>;

export function createPushKeys({ storage, keyring, clock }: PushKeysDeps): PushKeys {
  let known: VapidKeys | undefined;

  async function load(): Promise<VapidKeys> {
    const row = (await store.findKeys(storage)) ?? (await create());
    const privateKey = keyring.decrypt(PURPOSE, BINDING, row.encryptedPrivateKey);
    return { publicKey: row.publicKey, privateKey };
  }

  /** Another node may have been faster; its key pair is the one. */
  async function create(): Promise<store.KeysRow> {
    const { publicKey, privateKey } = createVapidKeys();
    const encryptedPrivateKey = keyring.encrypt(PURPOSE, BINDING, privateKey);
    await store.insertKeys(storage, { publicKey, encryptedPrivateKey }, clock.now());
    const row = await store.findKeys(storage);
    if (!row) throw new Error('the key pair of web push is missing');
    return row;
  }

  return async () => {
    known ??= await load();
    return known;
  };
}
