import { temporarilyUnavailable } from '../runtime/index.ts';

/** Refuses history that lacks readings, where the result could not state that. */
export function requireComplete({ isIncomplete }: { readonly isIncomplete: boolean }): void {
  if (!isIncomplete) return;
  throw temporarilyUnavailable(
    'The node with the newest readings cannot be reached at the moment.',
  );
}
