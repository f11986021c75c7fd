import type { Log } from '../../runtime/index.ts';

/** Writes down when credentials were used, behind the requests and never in their way. */
export interface LastUsed {
  note(id: string, at: number, savedAt: number | null): void;
  /** Resolves once everything noted so far was written or given up. */
  settle(): Promise<void>;
}

const EVERY_MS = 60_000;
const MAX_IDS = 10_000;

export interface Use {
  readonly id: string;
  readonly at: number;
}

export function createLastUsed(save: (uses: Use[]) => Promise<void>, log: Log): LastUsed {
  const notedAt = new Map<string, number>();
  let pending = new Map<string, number>();
  let saving: Promise<void> | null = null;

  function isDue(id: string, at: number, savedAt: number | null): boolean {
    const last = Math.max(notedAt.get(id) ?? 0, savedAt ?? 0);
    return at - last >= EVERY_MS;
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
      notedAt.delete(id);
      for (const [oldest] of notedAt) {
        if (notedAt.size < MAX_IDS) break;
        notedAt.delete(oldest);
      }
      notedAt.set(id, at);
      if (pending.size >= MAX_IDS) return;
      pending.set(id, at);
      saving ??= savePending();
    },
    async settle() {
      await saving;
    },
  };
}
