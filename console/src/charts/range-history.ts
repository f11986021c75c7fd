import { startTransition, useCallback, useRef, useState } from 'react';
import type { RangeChoice } from './range.ts';

const MAX_RANGES = 50;

type Ranges = readonly RangeChoice[];

/** The earlier ranges after a change from one to another. */
export function withRange(past: Ranges, { last, from, to }: RangeChoice): Ranges {
  return [...past, { last, from, to }].slice(-MAX_RANGES);
}

/** The newest earlier range that is another than the present one, and those before it. */
export function previousRange(
  past: Ranges,
  present: RangeChoice,
): { readonly range: RangeChoice; readonly past: Ranges } | null {
  for (let index = past.length - 1; index >= 0; index -= 1) {
    const range = past[index];
    if (range && !isSame(range, present)) return { range, past: past.slice(0, index) };
  }
  return null;
}

const isSame = (a: RangeChoice, b: RangeChoice) =>
  a.last === b.last && a.from === b.from && a.to === b.to;

/**
 * Changes the range and remembers those before. The browser's own history has them too. The functions
 * stay the same, so that a chart is not rendered for them.
 */
export function useRangeHistory(choice: RangeChoice, onChoice: (choice: RangeChoice) => void) {
  const past = useRef<Ranges>([]);
  const [shownPast, setShownPast] = useState<Ranges>([]);
  const latest = useRef({ choice, onChoice });
  latest.current = { choice, onChoice };
  const change = useCallback((next: Ranges, { last, from, to }: RangeChoice) => {
    past.current = next;
    startTransition(() => setShownPast(next));
    latest.current.onChoice({ last, from, to });
  }, []);
  const onRange = useCallback(
    (range: RangeChoice) => change(withRange(past.current, latest.current.choice), range),
    [change],
  );
  const goBack = useCallback(() => {
    const previous = previousRange(past.current, latest.current.choice);
    if (previous) change(previous.past, previous.range);
  }, [change]);
  return { onRange, onBack: previousRange(shownPast, choice) ? goBack : null };
}
