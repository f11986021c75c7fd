import { compact, manyIn, numberIn, oneIn, type Raw } from '../service/index.ts';
import { ANNOTATION_KINDS, type AnnotationKind } from './annotations.ts';
import { COMPARISONS, type Comparison } from './compare.ts';
import { parseRange, type RangeChoice } from './range.ts';

/** How a chart shows its range, in the URL. */
export interface ChartView {
  readonly compare?: Comparison | undefined;
  /** Whether value axes are logarithmic. */
  readonly log?: true | undefined;
  /** Whether value axes start at zero. */
  readonly zero?: true | undefined;
  /** Fixed limits of the left axis. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The ends of the ids of hidden Variables. */
  readonly hide?: readonly string[] | undefined;
  /** The kinds of annotations that are not shown. */
  readonly off?: readonly AnnotationKind[] | undefined;
}

/** All that the URL says about a chart. */
export interface ChartChoice extends RangeChoice, ChartView {}

export function parseChart(raw: Raw): ChartChoice {
  const hide = (Array.isArray(raw.hide) ? raw.hide : []).filter((each) => typeof each === 'string');
  return compact({
    ...parseRange(raw),
    compare: oneIn(raw.compare, COMPARISONS),
    log: raw.log === true ? true : undefined,
    zero: raw.zero === true ? true : undefined,
    min: numberIn(raw.min),
    max: numberIn(raw.max),
    hide,
    off: manyIn(raw.off, ANNOTATION_KINDS),
  });
}

/** Enough to tell the few Variables of a chart apart, and short in a URL. */
const TAIL_LENGTH = 6;

const tailOf = (variableId: string) => variableId.slice(-TAIL_LENGTH);

export function isHidden({ hide = [] }: ChartView, variableId: string): boolean {
  return hide.includes(tailOf(variableId));
}

/** The view with one Variable hidden, or shown again. */
export function toggledSeries(view: ChartView, variableId: string): ChartView {
  const tail = tailOf(variableId);
  const hide = view.hide ?? [];
  const next = hide.includes(tail) ? hide.filter((each) => each !== tail) : [...hide, tail];
  return { ...view, hide: next.length > 0 ? next : undefined };
}

/** The view with one Variable alone, or with all when it is alone already. */
export function isolatedSeries(
  view: ChartView,
  variableId: string,
  all: readonly string[],
): ChartView {
  const others = all.filter((id) => id !== variableId).map(tailOf);
  const isAlone =
    !isHidden(view, variableId) && all.every((id) => id === variableId || isHidden(view, id));
  return { ...view, hide: isAlone || others.length === 0 ? undefined : others };
}
