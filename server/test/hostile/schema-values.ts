import type { Random } from '../support/random.ts';
import type { Resolve, Schema } from './openapi.ts';

/** Strings that careless code stumbles over. */
const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  "'; drop table users; --",
  '%_%',
  '../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '1e999',
  '-0',
  '2026-02-30T25:61:61Z',
  'a'.repeat(5_000),
  '\u{1f600}'.repeat(300),
  '=cmd|calc',
  '<script>alert(1)</script>',
];

const HOSTILE_NUMBERS: readonly number[] = [
  -1,
  0,
  -0,
  0.1,
  1e-320,
  1e21,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  253_402_300_800_000,
];

const UNKNOWN_ID = '018f0000-0000-7000-8000-00000000dead';
const MAX_DEPTH = 6;

export interface ValueSource {
  readonly random: Random;
  readonly resolve: Resolve;
  /** An identifier that some answer carried, or null while there is none. */
  knownId(): string | null;
  /** Keeps to the schema, so that requests also reach what lies behind validation. */
  readonly isValid: boolean;
}

const isChance = (random: Random, percent: number) => random.below(100) < percent;

/** A value that no schema asked for. */
export function hostileValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 4 : 7)) {
    case 0:
      return random.pick(HOSTILE_TEXTS);
    case 1:
      return random.pick(HOSTILE_NUMBERS);
    case 2:
      return random.pick([true, false, null]);
    case 3:
      return UNKNOWN_ID;
    case 4:
      return Array.from({ length: random.below(4) }, () => hostileValue(random, depth + 1));
    case 5:
      return Array.from({ length: 300 }, (_, index) => index);
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [
          random.pick(HOSTILE_TEXTS).slice(0, 50),
          hostileValue(random, depth + 1),
        ]),
      );
  }
}

/** A value for the schema: mostly a valid one, often at a limit, sometimes just beyond it. */
export function valueFor(source: ValueSource, given: Schema, depth = 0): unknown {
  const { random, resolve, isValid } = source;
  if (depth > MAX_DEPTH || (!isValid && isChance(random, 4))) return hostileValue(random);
  const schema = resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return valueFor(source, random.pick(choices), depth + 1);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => valueFor(source, part, depth + 1)));
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types.length > 0 ? random.pick(types) : 'any') {
    case 'string':
      return textFor(source, schema);
    case 'integer':
      return Math.trunc(numberFor(source, schema));
    case 'number':
      return numberFor(source, schema);
    case 'boolean':
      return isChance(random, 50);
    case 'null':
      return null;
    case 'array':
      return listFor(source, schema, depth);
    case 'object':
      return objectFor(source, schema, depth);
    default:
      return hostileValue(random);
  }
}

function textFor({ random, knownId, isValid }: ValueSource, schema: Schema): string {
  if (schema.format === 'uuid') return (isChance(random, 75) ? knownId() : null) ?? UNKNOWN_ID;
  if (schema.format === 'date-time') return '2026-11-16T00:00:00.000Z';
  const { minLength = 0, maxLength = 40 } = schema;
  const within = [minLength, Math.min(minLength + 5, maxLength), maxLength];
  if (!isValid && isChance(random, 10)) return random.pick(HOSTILE_TEXTS);
  const lengths = isValid ? within : [minLength - 1, ...within, maxLength + 1];
  const length = Math.min(2_000, Math.max(0, random.pick(lengths)));
  const letter = random.pick(['a', 'B', '7', 'é', '.']);
  return letter.repeat(length);
}

function numberFor({ random, isValid }: ValueSource, { minimum, maximum }: Schema): number {
  if (!isValid && isChance(random, 10)) return random.pick(HOSTILE_NUMBERS);
  const low = minimum ?? 0;
  const high = maximum ?? low + 1_000;
  const within = [low, low + random.below(Math.min(1e6, high - low + 1)), high];
  return random.pick(isValid ? within : [low - 1, ...within, high + 1]);
}

function listFor(source: ValueSource, schema: Schema, depth: number): unknown[] {
  const { minItems = 0, maxItems = 5 } = schema;
  const beyond = source.isValid ? [] : [Math.min(maxItems + 1, 12)];
  const length = source.random.pick([minItems, minItems + 1, ...beyond]);
  return Array.from({ length }, () => valueFor(source, schema.items ?? {}, depth + 1));
}

function objectFor(source: ValueSource, schema: Schema, depth: number): Record<string, unknown> {
  const { random, isValid } = source;
  const required = new Set(schema.required ?? []);
  const percent = (name: string) => (required.has(name) ? (isValid ? 100 : 97) : 45);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) =>
    isChance(random, percent(name)),
  );
  const value = Object.fromEntries(
    fields.map(([name, field]) => [name, valueFor(source, field, depth + 1)]),
  );
  if (!isValid && isChance(random, 4))
    value[random.pick(HOSTILE_TEXTS).slice(0, 50)] = hostileValue(random);
  return value;
}
