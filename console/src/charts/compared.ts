import { useMemo } from 'react';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Comparison, movedNumbers, movedStates, offsetMsOf } from './compare.ts';
import type { Line, NumberHistory, StateHistory } from './histories.ts';
import { useHistory } from './history.ts';
import type { Range } from './range.ts';
import { type ChartView, isHidden } from './view.ts';

/** The history of the compared range, at the times that it is compared with. */
export interface Compared {
  readonly numbers: readonly NumberHistory[];
  readonly states: readonly StateHistory[];
  /** Null without a comparison. */
  readonly range: Range | null;
}

const NONE: Compared = { numbers: [], states: [], range: null };
const NO_VARIABLES: readonly Variable[] = [];

/** The name of a Variable in the compared range. */
function comparedName(name: string, comparison: Comparison): string {
  return `${name} (${strings.charts.compare.suffix[comparison]})`;
}

export function useCompared(
  variables: readonly Variable[],
  range: Range,
  comparison: Comparison | undefined,
): Compared {
  const offsetMs = comparison ? offsetMsOf(range, comparison) : 0;
  const { startMs, endMs } = range;
  const earlier = { startMs: startMs - offsetMs, endMs: endMs - offsetMs };
  const { numbers, states } = useHistory(comparison ? variables : NO_VARIABLES, earlier, {
    isMoving: false,
    isLive: false,
  });
  return useMemo((): Compared => {
    if (!comparison) return NONE;
    const named = <H extends NumberHistory | StateHistory>(history: H): H => {
      const { variable } = history;
      return {
        ...history,
        variable: { ...variable, name: comparedName(variable.name, comparison) },
      };
    };
    return {
      numbers: numbers.map((history) => named(movedNumbers(history, offsetMs))),
      states: states.map((history) => named(movedStates(history, offsetMs))),
      range: { startMs: startMs - offsetMs, endMs: endMs - offsetMs },
    };
  }, [comparison, numbers, states, startMs, endMs, offsetMs]);
}

/** The lines of a chart: those of the range, then those that they are compared with. */
export function linesOf(
  numbers: readonly NumberHistory[],
  compared: Compared,
  view: ChartView,
): readonly Line[] {
  const colours = new Map(numbers.map(({ variable }, index) => [variable.id, index]));
  const lineOf = (history: NumberHistory, isCompared: boolean): Line => {
    const { id, name } = history.variable;
    return {
      ...history,
      name,
      colour: colours.get(id) ?? 0,
      isCompared,
      isHidden: isHidden(view, id),
    };
  };
  return [
    ...numbers.map((history) => lineOf(history, false)),
    ...compared.numbers.map((history) => lineOf(history, true)),
  ];
}
