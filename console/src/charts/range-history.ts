import { useState } from 'react';
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

/** Changes the range and remembers those before. The browser's own history has them too. */
export function useRangeHistory(choice: RangeChoice, onChoice: (choice: RangeChoice) => void) {
  const [past, setPast] = useState<Ranges>([]);
  const previous = previousRange(past, choice);
  return {
    onRange({ last, from, to }: RangeChoice) {
      setPast(withRange(past, choice));
      onChoice({ last, from, to });
    },
    onBack: previous
      ? () => {
          setPast(previous.past);
          const { last, from, to } = previous.range;
          onChoice({ last, from, to });
        }
      : null,
  };
}
