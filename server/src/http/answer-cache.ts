import type { Clock } from '../runtime/index.ts';
import type { Presented } from './present.ts';

/**
 * Answers of lists that many clients poll. One lives until anything changes in its organization
 * through this process, and at most a moment, since another process may change things too.
 */
export interface AnswerCache {
  /** The kept answer, or else the answer that `make` gives; who asks meanwhile shares it. */
  answer(organizationId: string, key: string, make: () => Promise<Presented>): Promise<Presented>;
  /** Something changed in the organization. */
  forget(organizationId: string): void;
}

interface Limits {
  readonly livesMs: number;
  readonly maxAnswers: number;
  /** Longer ones are not kept. */
  readonly maxLength: number;
}

export const ANSWER_CACHE: Limits = { livesMs: 1_000, maxAnswers: 500, maxLength: 64 * 1024 };

interface Kept {
  /** Shared by all who ask while it is being made. */
  readonly presented: Promise<Presented>;
  readonly madeAt: number;
  readonly generation: number;
}

export function createAnswerCache(clock: Clock, limits = ANSWER_CACHE): AnswerCache {
  const answers = new Map<string, Kept>();
  const generations = new Map<string, number>();
  const generationOf = (organizationId: string) => generations.get(organizationId) ?? 0;

  function keep(key: string, kept: Kept): void {
    answers.delete(key);
    for (const [oldest] of answers) {
      if (answers.size < limits.maxAnswers) break;
      answers.delete(oldest);
    }
    answers.set(key, kept);
  }

  /** A failure or a long answer is for those alone who were waiting for it. */
  async function made(key: string, presented: Promise<Presented>): Promise<Presented> {
    const isWorthKeeping = await presented.then(
      ({ body }) => (body ?? '').length <= limits.maxLength,
      () => false,
    );
    if (!isWorthKeeping && answers.get(key)?.presented === presented) answers.delete(key);
    return presented;
  }

  return {
    answer(organizationId, key, make) {
      const generation = generationOf(organizationId);
      const kept = answers.get(key);
      const madeAt = clock.now();
      const age = kept ? madeAt - kept.madeAt : 0;
      if (kept?.generation === generation && age >= 0 && age < limits.livesMs) {
        return kept.presented;
      }
      const presented = make();
      keep(key, { presented, madeAt, generation });
      return made(key, presented);
    },
    forget(organizationId) {
      generations.set(organizationId, generationOf(organizationId) + 1);
    },
  };
}
