import { useState } from 'react';

interface Identified {
  readonly id: string;
}

/** The selected records, and the one from which a range extends. */
export interface Selected<T> {
  readonly records: ReadonlyMap<string, T>;
  readonly anchorId: string | null;
}

export const NONE_SELECTED: Selected<never> = { records: new Map<string, never>(), anchorId: null };

/**
 * Selects a record, or clears it. A range gives every shown record between the anchor and this one
 * the new state of this one.
 */
export function toggledIn<T extends Identified>(
  selected: Selected<T>,
  record: T,
  shown: readonly T[],
  isRange: boolean,
): Selected<T> {
  const isSelected = !selected.records.has(record.id);
  const end = shown.findIndex(({ id }) => id === record.id);
  const anchor = shown.findIndex(({ id }) => id === selected.anchorId);
  const [from, to] = isRange && anchor >= 0 ? [anchor, end].toSorted((a, b) => a - b) : [end, end];
  const range = shown.slice(from, (to ?? end) + 1);
  return { ...withAll(selected, range, isSelected), anchorId: record.id };
}

export function withAll<T extends Identified>(
  selected: Selected<T>,
  changed: readonly T[],
  isSelected: boolean,
): Selected<T> {
  const records = new Map(selected.records);
  for (const record of changed) {
    if (isSelected) records.set(record.id, record);
    else records.delete(record.id);
  }
  return { ...selected, records };
}

/** The selection of a table. It spans pages: the records of other pages stay selected. */
export interface Selection<T> {
  readonly records: readonly T[];
  has(id: string): boolean;
  toggle(record: T, shown: readonly T[], isRange: boolean): void;
  setAll(records: readonly T[], isSelected: boolean): void;
  clear(): void;
}

/** A change of the scope, such as another filter, clears the selection. */
export function useSelection<T extends Identified>(scope: string): Selection<T> {
  const [state, setState] = useState<{ scope: string; selected: Selected<T> }>();
  const selectedOf = (current: typeof state): Selected<T> =>
    current?.scope === scope ? current.selected : NONE_SELECTED;
  const change = (next: (selected: Selected<T>) => Selected<T>) =>
    setState((current) => ({ scope, selected: next(selectedOf(current)) }));
  const { records } = selectedOf(state);
  return {
    records: [...records.values()],
    has: (id) => records.has(id),
    toggle: (record, shown, isRange) =>
      change((selected) => toggledIn(selected, record, shown, isRange)),
    setAll: (all, isSelected) => change((selected) => withAll(selected, all, isSelected)),
    clear: () => change(() => NONE_SELECTED),
  };
}
