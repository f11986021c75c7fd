import { type Operation, operations } from '@fieldwatch/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { createValidator, MAX_EXPLAINED_VALUES } from './validate.ts';

const wording = { unknownField: 'is not a field of this request', root: 'body' };

function errorsOf(schema: object, value: unknown): string[] {
  return createValidator(schema, wording)(value).map(({ path, message }) => `${path} ${message}`);
}

const closed = { additionalProperties: false };

describe('validation', () => {
  it('names every bad field at once', () => {
    const schema = Type.Object(
      {
        name: Type.String({ minLength: 2, maxLength: 3 }),
        count: Type.Integer({ minimum: 1, maximum: 9 }),
        kind: Type.Unsafe({ type: 'string', enum: ['A', 'B'] }),
        when: Type.String({ format: 'date-time' }),
        inner: Type.Object({ list: Type.Array(Type.Boolean(), { maxItems: 2 }) }, closed),
      },
      closed,
    );
    const value = {
      name: 'x',
      count: '5',
      kind: 'C',
      when: 'soon',
      inner: { list: [true, 1, true] },
      extra: 1,
    };
    expect(errorsOf(schema, value).sort()).toEqual([
      'count must be a whole number',
      'extra is not a field of this request',
      'inner.list must have at most 2 values',
      'inner.list[1] must be true or false',
      'kind must be one of A, B',
      'name must have at least 2 characters',
      'when must be an ISO 8601 date-time with a zone',
    ]);
  });

  it('says which field is missing', () => {
    expect(errorsOf(Type.Object({ name: Type.String() }, closed), {})).toEqual([
      'name is required',
    ]);
  });

  it.each([
    ['', ['body must be an object']],
    [null, ['body must be an object']],
    [[], ['body must be an object']],
  ])('refuses %j as a whole', (value, messages) => {
    expect(errorsOf(Type.Object({}, closed), value)).toEqual(messages);
  });

  it.each([
    ['a', true],
    ['ab', true],
    ['😀😀', true],
    ['abc', false],
    ['😀😀😀', false],
  ])('counts the length of %s in code points', (value, good) => {
    expect(errorsOf(Type.String({ maxLength: 2 }), value).length === 0).toBe(good);
  });

  it.each([' ', '\t\n', '\u00a0\u3000'])('refuses the blank name %j', (value) => {
    expect(errorsOf(Type.String({ pattern: '\\S' }), value)).toEqual([
      'body must not be only white space',
    ]);
  });

  it('uses the message that a pattern brings along', () => {
    const schema = Type.String({
      pattern: '^[0-9A-F]+$',
      'x-messages': { pattern: 'must be hexadecimal' },
    });
    expect(errorsOf(schema, 'xyz')).toEqual(['body must be hexadecimal']);
  });

  it('uses the message that a schema brings along for one of its fields', () => {
    const own = { 'required.a': 'is required on Sundays', 'additionalProperties.b': 'is no more' };
    const schema = Type.Object({ a: Type.Number() }, { ...closed, 'x-messages': own });
    expect(errorsOf(schema, { b: 1 })).toEqual(['a is required on Sundays', 'b is no more']);
  });

  it('never coerces', () => {
    expect(errorsOf(Type.Number(), '5')).toEqual(['body must be a number']);
    expect(errorsOf(Type.String(), 5)).toEqual(['body must be a string']);
    expect(errorsOf(Type.Boolean(), 1)).toEqual(['body must be true or false']);
  });

  it('fills in defaults', () => {
    const value = {};
    const schema = Type.Object({ take: Type.Integer({ default: 25 }) }, closed);
    expect(createValidator(schema, wording)(value)).toEqual([]);
    expect(value).toEqual({ take: 25 });
  });

  it('speaks of the chosen branch alone where a field decides', () => {
    const schema = {
      type: 'object',
      required: ['type'],
      discriminator: { propertyName: 'type' },
      oneOf: [
        Type.Object({ type: Type.Literal('A'), a: Type.Number() }, closed),
        Type.Object({ type: Type.Literal('B'), b: Type.Number() }, closed),
      ],
    };
    expect(errorsOf(schema, { type: 'A' })).toEqual(['a is required']);
    expect(errorsOf(schema, { type: 'C' })).toEqual(['type must be one of A, B']);
    expect(errorsOf(schema, {})).toEqual(['type is required']);
    expect(errorsOf(schema, { type: 5 })).toEqual(['type must be one of A, B']);
  });

  it('lists at most a hundred errors', () => {
    const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
    expect(errorsOf(Type.Object({}, closed), value)).toHaveLength(100);
  });
});

describe('a value that is wrong everywhere', () => {
  const schema = Type.Object(
    { ids: Type.Array(Type.String({ minLength: 2 }), { maxItems: 2 }) },
    { additionalProperties: false },
  );
  const check = createValidator(schema, { unknownField: 'is unknown', root: 'body' });

  it.each([
    [MAX_EXPLAINED_VALUES - 1, 100],
    [MAX_EXPLAINED_VALUES, 100],
    [MAX_EXPLAINED_VALUES + 1, 1],
  ])('and has %i values is refused by %i of its fields', (values, named) => {
    expect(check({ ids: Array(values - 1).fill('a') })).toHaveLength(named);
  });

  it('names the field, also when it names one only', () => {
    expect(check({ ids: Array(MAX_EXPLAINED_VALUES).fill('a') })).toEqual([
      { path: 'ids', message: 'must have at most 2 values' },
    ]);
    const unknown = Array.from({ length: MAX_EXPLAINED_VALUES }, (_, index) => [`x${index}`, 1]);
    expect(check({ ids: [], ...Object.fromEntries(unknown) })).toEqual([
      { path: 'x0', message: 'is unknown' },
    ]);
  });
});

describe('the schemas of the contract', () => {
  const ajv = new Ajv2020();

  it.each(Object.values(operations).map((operation: Operation) => [operation.id, operation]))(
    'are valid JSON schemas in %s',
    (_, { params = {}, query, body }) => {
      for (const schema of [...Object.values(params), query, body]) {
        if (schema) expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
      }
    },
  );
});
