import { useState } from 'react';
import type { Variable } from '../service/index.ts';

/** More lines on one chart could not be distinguished. */
export const MAX_LINES = 8;
const INITIAL_LINES = 2;

/** The initial lines of a chart: the first numbers with a history. */
function firstCharted(variables: readonly Variable[]): readonly string[] {
  return variables
    .filter(({ type, isLoggingEnabled }) => type === 'NUMBER' && isLoggingEnabled)
    .slice(0, INITIAL_LINES)
    .map(({ id }) => id);
}

export function toggled(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-MAX_LINES);
}

/** The charted Variables of a list; the first ones until the user selects others. */
export function useCharted(variables: readonly Variable[]) {
  const [selected, setSelected] = useState<readonly string[] | null>(null);
  const charted = selected ?? firstCharted(variables);
  return { charted, toggle: (id: string) => setSelected(toggled(charted, id)) };
}
