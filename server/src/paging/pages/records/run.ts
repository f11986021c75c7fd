import type { Run } from '../machine/index.ts';
import type { PageRow } from './store.ts';

/** The run of a page, from its columns. */
export function runOf(page: PageRow): Run {
  const { state, loop, step, lastLoop, activeAt, acknowledgedAt, remindAt, resumeAt } = page;
  const { nextLoop, nextStep, nextAt } = page;
  const next =
    nextLoop === null || nextStep === null || nextAt === null
      ? null
      : { loop: nextLoop, step: nextStep, at: nextAt };
  return { state, loop, step, lastLoop, next, activeAt, acknowledgedAt, remindAt, resumeAt };
}
