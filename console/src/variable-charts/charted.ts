import { useState } from 'react';
import type { Variable } from '../service/index.ts';

/** Lines on one chart that can still be told apart. */
export const MOST_LINES = 8;
const FIRST_LINES = 2;

/** Those that a chart begins with: the first numbers that have a history. */
export function firstCharted(variables: readonly Variable[]): readonly string[] {
  return variables
    .filter(({ type, isLoggingEnabled }) => type === 'NUMBER' && isLoggingEnabled)
    .slice(0, FIRST_LINES)
    .map(({ id }) => id);
}

export function toggled(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-MOST_LINES);
}

/** Which Variables of a list are on its chart; the first ones until somebody chooses. */
export function useCharted(variables: readonly Variable[]) {
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const charted = chosen ?? firstCharted(variables);
  return { charted, toggle: (id: string) => setChosen(toggled(charted, id)) };
}
