import { describe, expect, it } from 'vitest';
import { readingOf } from '../../test/support/reading.ts';
import type { BatchJudgement } from '../alarms/index.ts';
import type { CommitOptions, Reading } from '../readings/index.ts';
import type { Statement } from '../storage/index.ts';
import { judgeAndCommit } from './commit-batch.ts';

const readings: readonly Reading[] = [readingOf(1)];
const ARRIVED = { now: 1, elapsed: 1 };
const statement = (sql: string): Statement => ({ sql, params: [] });

/** Judgements that a commit refuses so many times before the last one is stored. */
function rig({ conflicts }: { readonly conflicts: number }) {
  const steps: string[] = [];
  const judgementOf = (attempt: number): BatchJudgement => ({
    statements: () => [statement(`alarm ${attempt}`)],
    stored: () => void steps.push(`stored ${attempt}`),
    async refused(error) {
      steps.push(`refused ${attempt}`);
      if (attempt > conflicts) throw error;
      return judgementOf(attempt + 1);
    },
  });
  const judge = async () => judgementOf(1);
  const commit = async (_: readonly Reading[], options: CommitOptions = {}) => {
    const written = [...(options.alongside?.() ?? [])].map(({ sql }) => sql);
    steps.push(`commit ${written.join(', ')}`);
    if (steps.filter((step) => step.startsWith('commit')).length <= conflicts) {
      throw new Error('conflict');
    }
  };
  return { steps, judge, commit };
}

describe('judging and committing a batch', () => {
  it('stores the changes of alarms before the statements of the caller, in one commit', async () => {
    const { steps, ...deps } = rig({ conflicts: 0 });
    const alongside = () => [statement('device')];
    await judgeAndCommit(deps, readings, { arrived: ARRIVED, alongside });
    expect(steps).toEqual(['commit alarm 1, device', 'stored 1']);
  });

  it('commits the judgement on the new state after a conflict', async () => {
    const { steps, ...deps } = rig({ conflicts: 2 });
    await judgeAndCommit(deps, readings, { arrived: ARRIVED });
    expect(steps).toEqual([
      'commit alarm 1',
      'refused 1',
      'commit alarm 2',
      'refused 2',
      'commit alarm 3',
      'stored 3',
    ]);
  });

  it('fails with the error of the commit when the judgement is final', async () => {
    const { steps, judge } = rig({ conflicts: 0 });
    const commit = () => Promise.reject(new Error('refused by storage'));
    const work = judgeAndCommit({ judge, commit }, readings, { arrived: ARRIVED });
    await expect(work).rejects.toThrow('refused by storage');
    expect(steps).toEqual(['refused 1']);
  });
});
