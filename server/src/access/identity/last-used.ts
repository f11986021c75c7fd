import { BoundedMap, type Log } from '../../runtime/index.ts';

/** Stores when credentials were used, in the background of the requests. */
export interface LastUsed {
  note(id: string, at: number, savedAt: number | null): void;
  /** Resolves once everything noted so far was written or given up. */
  flush(): Promise<void>;
}

const MIN_INTERVAL_MS = 60_000;
const MAX_IDS = 10_000;

export interface Use {
  readonly id: string;
  readonly at: number;
}

export function createLastUsed(save: (uses: Use[]) => Promise<void>, log: Log): LastUsed {
  const notedAt = new BoundedMap<string, number>(MAX_IDS);
  let pending = new Map<string, number>();
  let saving: Promise<void> | null = null;

  function isDue(id: string, at: number, savedAt: number | null): boolean {
    const last = Math.max(notedAt.get(id) ?? 0, savedAt ?? 0);
    return at - last >= MIN_INTERVAL_MS;
  }

  async function savePending(): Promise<void> {
    while (pending.size > 0) {
      const uses = [...pending].map(([id, at]) => ({ id, at }));
      pending = new Map();
      try {
        await save(uses);
      } catch (error) {
        log.debug({ err: error }, 'the last use of credentials could not be written');
      }
    }
    saving = null;
  }

  return {
    note(id, at, savedAt) {
      if (!isDue(id, at, savedAt)) return;
      notedAt.set(id, at);
      if (pending.size >= MAX_IDS) return;
      pending.set(id, at);
      saving ??= savePending();
    },
    async flush() {
      await saving;
    },
  };
}
