import type { Value } from '../reading.ts';

/** A Variable with its latest value. */
export interface ExposedValue {
  readonly id: string;
  readonly device: string;
  readonly variable: string;
  readonly path: string;
  readonly unit: string | null;
  readonly classification: string | null;
  readonly asset: string | null;
  readonly location: string | null;
  readonly value: Value;
}

/** The labels of both metrics; that of a text has its value beside them. */
export const LABELS = [
  'device',
  'variable',
  'path',
  'unit',
  'classification',
  'asset',
  'location',
  'id',
] as const;

/**
 * Values in the Prometheus text format: numbers as they are, booleans as 0 and 1, and a text as a
 * label of a metric that is always 1. Labels without a value are left out, as Prometheus does.
 */
export function exposition(values: readonly ExposedValue[]): string {
  const numbers: string[] = [];
  const states: string[] = [];
  for (const exposed of values) {
    const { value } = exposed;
    const labels = LABELS.flatMap((name) => labelOf(name, exposed[name])).join(',');
    if (typeof value === 'string') {
      states.push(`fieldwatch_state{${labels},value="${escaped(value)}"} 1`);
    } else {
      numbers.push(`fieldwatch_value{${labels}} ${Number(value)}`);
    }
  }
  return [
    ...metric('fieldwatch_value', 'The latest value of a Variable; a boolean is 0 or 1.', numbers),
    ...metric('fieldwatch_state', 'The latest text of a Variable, as a label.', states),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function metric(name: string, help: string, samples: readonly string[]): readonly string[] {
  if (samples.length === 0) return [];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...samples];
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelOf(name: string, value: string | null): readonly string[] {
  if (value === null || value === '') return [];
  return [`${name}="${escaped(value)}"`];
}

function escaped(value: string): string {
  return value.replaceAll(/[\\"\n]/g, (each) => ESCAPES[each] ?? each);
}
