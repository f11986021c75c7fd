import type { RemoteReadRequest } from '@fieldwatch/contract';
import { invalid } from '../../runtime/index.ts';
import { labelPattern, UnsupportedPattern } from './label-pattern.ts';

type Matcher = RemoteReadRequest['queries'][number]['matchers'][number];

/** By name; a label that is absent matches as an empty one. */
export type Labels = Readonly<Record<string, string>>;

/** The label with the text of a state, which only its readings have. */
export const STATE = 'value';

export interface LabelMatchers {
  /** Whether all labels but that of a state match. */
  matches(labels: Labels): boolean;
  /** Whether the label of a state matches; it is empty for numbers. */
  matchesState(text: string): boolean;
}

export function labelMatchers(matchers: readonly Matcher[]): LabelMatchers {
  const tests = matchers.map((matcher) => ({ name: matcher.name, test: testOf(matcher) }));
  const ofStates = tests.filter(({ name }) => name === STATE);
  const others = tests.filter(({ name }) => name !== STATE);
  return {
    matches: (labels) => others.every(({ name, test }) => test(labels[name] ?? '')),
    matchesState: (text) => ofStates.every(({ test }) => test(text)),
  };
}

function testOf({ match, name, value }: Matcher): (text: string) => boolean {
  if (match === 'EQUAL') return (text) => text === value;
  if (match === 'NOT_EQUAL') return (text) => text !== value;
  const matches = remembered(patternOf(name, value));
  return match === 'PATTERN' ? matches : (text) => !matches(text);
}

function patternOf(name: string, source: string) {
  try {
    return labelPattern(source);
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    throw invalid({ path: `matchers.${name}`, message: `has a pattern in which ${error.message}` });
  }
}

/** Many series have the same labels. */
function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const found = known.get(text) ?? test(text);
    known.set(text, found);
    return found;
  };
}
