import type { AuditEntry } from '@fieldwatch/contract';
import type { RecordRefusal } from '../../http/index.ts';
import { type Clock, every, type Log, type NewId } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { ChangedField } from './changed-fields.ts';
import { findKeyHomes, findUserHomes, type Home, insertEntries, type NewEntry } from './store.ts';

// What is refused is written per minute and not one by one: whoever guesses passwords must not be
// able to fill the log, or to hold a connection for each guess.

export interface RefusalsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

export interface Refusals {
  readonly recordRefusal: RecordRefusal;
  signInRefused(refusal: 'FAILED' | 'LOCKED_OUT', emailFolded: string, address: string): void;
  keyRefused(keyId: string, address: string): void;
  /** Writes what was counted since the last time. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

type About =
  | { readonly kind: 'SIGN_IN'; readonly emailFolded: string; readonly field: string }
  | { readonly kind: 'KEY'; readonly keyId: string }
  | {
      readonly kind: 'PERMISSION';
      readonly organizationId: string;
      readonly operation: string;
      readonly code: string;
      readonly actor: AuditEntry['actor'];
    };

interface Counted {
  readonly about: About;
  readonly address: string;
  count: number;
  lastAt: number;
}

const FLUSH_INTERVAL_MS = 60_000;
const MAX_COUNTED = 1_000;
const SYSTEM: AuditEntry['actor'] = { kind: 'SYSTEM', id: null, name: 'Fieldwatch' };

export function createRefusals({ storage, clock, newId, log }: RefusalsDeps): Refusals {
  let counts = new Map<string, Counted>();
  let dropped = 0;
  let flushing: Promise<void> = Promise.resolve();

  function note(about: About, address: string): void {
    const key = JSON.stringify([about, address]);
    const counted = counts.get(key);
    if (counted) {
      counted.count += 1;
      counted.lastAt = clock.now();
    } else if (counts.size < MAX_COUNTED) {
      counts.set(key, { about, address, count: 1, lastAt: clock.now() });
    } else {
      dropped += 1;
    }
  }

  async function write(): Promise<void> {
    const batch = [...counts.values()];
    counts = new Map();
    if (dropped > 0) log.warn({ refusals: dropped }, 'refusals beyond the limit were not written');
    dropped = 0;
    if (batch.length === 0) return;
    try {
      const homes = await homesOf(storage, batch);
      const entries = batch.flatMap((counted) => entriesOf(counted, homes, newId));
      if (entries.length > 0) {
        await storage.background.transaction((tx) => insertEntries(tx, entries));
      }
    } catch (error) {
      log.warn({ err: error, refusals: batch.length }, 'refusals could not be written');
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(write);
    return flushing;
  }

  const flushes = every(FLUSH_INTERVAL_MS, flush, (error) =>
    log.warn({ err: error }, 'refusals could not be written'),
  );

  return {
    recordRefusal({ caller: { kind, id, name, permissionsIn }, ...refusal }) {
      const organizationId = refusal.organizationId?.toLowerCase();
      // An organization does not see the attempts of users who are no members of it.
      if (kind === 'DEVICE' || kind === 'SHARE') return;
      if (!organizationId || !permissionsIn(organizationId)) return;
      const { operation, code } = refusal;
      const actor = { kind, id, name };
      note({ kind: 'PERMISSION', organizationId, operation, code, actor }, refusal.address);
    },
    signInRefused(refusal, emailFolded, address) {
      const field = refusal === 'FAILED' ? 'failedSignIns' : 'lockedOutSignIns';
      note({ kind: 'SIGN_IN', emailFolded, field }, address);
    },
    keyRefused: (keyId, address) => note({ kind: 'KEY', keyId }, address),
    flush,
    start() {
      flushes.start();
    },
    async stop() {
      await flushes.stop();
      await flush();
    },
  };
}

interface Homes {
  readonly users: ReadonlyMap<string, readonly Home[]>;
  readonly keys: ReadonlyMap<string, readonly Home[]>;
}

async function homesOf(storage: Storage, batch: readonly Counted[]): Promise<Homes> {
  const emails = batch.flatMap(({ about }) =>
    about.kind === 'SIGN_IN' ? [about.emailFolded] : [],
  );
  const keyIds = batch.flatMap(({ about }) => (about.kind === 'KEY' ? [about.keyId] : []));
  const [users, keys] = await Promise.all([
    emails.length > 0 ? findUserHomes(storage.background, emails) : [],
    keyIds.length > 0 ? findKeyHomes(storage.background, keyIds) : [],
  ]);
  return { users: byName(users), keys: byName(keys) };
}

function byName(homes: readonly Home[]): Map<string, Home[]> {
  const grouped = new Map<string, Home[]>();
  for (const home of homes) grouped.set(home.name, [...(grouped.get(home.name) ?? []), home]);
  return grouped;
}

function entriesOf(counted: Counted, { users, keys }: Homes, newId: NewId): NewEntry[] {
  const { about, count } = counted;
  const made = (entry: Omit<NewEntry, 'id' | 'occurredAt' | 'address' | 'requestId'>) => ({
    ...entry,
    id: newId(),
    occurredAt: counted.lastAt,
    address: counted.address,
    requestId: null,
  });
  const field = (name: string, to: unknown): ChangedField => ({ field: name, from: null, to });
  if (about.kind === 'PERMISSION') {
    const { organizationId, operation, code, actor } = about;
    const changes = [field('reason', code), field('refusals', count)];
    return [
      made({
        organizationId,
        operation,
        actor,
        resource: 'Operation',
        resourceId: operation,
        changes,
      }),
    ];
  }
  const isKey = about.kind === 'KEY';
  const homes = isKey ? keys.get(about.keyId) : users.get(about.emailFolded);
  return (homes ?? []).map(({ organizationId, id }) =>
    made({
      organizationId,
      actor: SYSTEM,
      operation: isKey ? 'authenticate' : 'createToken',
      resource: isKey ? 'ApiKey' : 'User',
      resourceId: id,
      changes: [field(isKey ? 'failedAuthentications' : about.field, count)],
    }),
  );
}
