import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Columns, columnsOf, type Kind } from '../columns/index.ts';
import type { Value } from '../reading.ts';
import { decodeAnswer, decodeQuestion, encodeAnswer, encodeQuestion } from './codec.ts';
import { MOVED, type Question, type SeriesReadings } from './question.ts';

const VALUES: Record<Kind, fc.Arbitrary<Value>> = {
  NUMBER: fc.double({ noNaN: true, noDefaultInfinity: true }),
  BOOLEAN: fc.boolean(),
  STRING: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('RUNNING', '')),
};

function columnsWith(kind: Kind, readings: readonly (readonly [number, Value])[]): Columns {
  const columns = columnsOf(kind, readings.length);
  for (const [index, [at, value]] of readings.entries()) {
    columns.times[index] = at;
    columns.values[index] = typeof value === 'boolean' ? Number(value) : value;
  }
  return columns;
}

const series = fc.constantFrom<Kind>('NUMBER', 'BOOLEAN', 'STRING').chain((type) =>
  fc.record({
    question: fc.record({
      type: fc.constant(type),
      seriesId: fc.integer({ min: 1, max: 0xffff_ffff }),
      deviceId: fc.uuid(),
      from: fc.maxSafeNat(),
    }),
    answer: fc.oneof(
      fc.constant<typeof MOVED>(MOVED),
      fc.record({
        columns: fc
          .array(fc.tuple(fc.maxSafeInteger(), VALUES[type]))
          .map((readings) => columnsWith(type, readings)),
        nextFrom: fc.option(fc.maxSafeInteger(), { nil: null }),
      }) satisfies fc.Arbitrary<SeriesReadings>,
    ),
  }),
);

const exchange = fc.record({
  form: fc.constantFrom<Question['form']>('HISTORY', 'LATEST'),
  to: fc.maxSafeNat(),
  all: fc.array(series, { maxLength: 10 }),
});

it('a question about unflushed readings and its answer are the same at the other node', () => {
  fc.assert(
    fc.property(exchange, ({ form, to, all }) => {
      const question: Question = { form, to, series: all.map((each) => each.question) };
      expect(decodeQuestion(encodeQuestion(question))).toEqual(question);
      const answer = all.map((each) => each.answer);
      expect(decodeAnswer(question, encodeAnswer(question, answer))).toEqual(answer);
    }),
  );
});
