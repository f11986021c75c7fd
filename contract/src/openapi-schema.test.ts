import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { User } from './index.ts';
import { jsonSchema } from './openapi-schema.ts';
import { closed, defaulted, oneOf } from './schema.ts';

const Alarm = Type.Object(
  { name: Type.String(), severity: defaulted(oneOf(['LOW', 'HIGH']), 'LOW') },
  closed,
);

describe('a schema as JSON', () => {
  it('does not ask a caller for a field that has a default', () => {
    expect(jsonSchema(Alarm, 'written').required).toEqual(['name']);
    expect(jsonSchema(Type.Array(Alarm), 'written').items).toMatchObject({ required: ['name'] });
  });

  it('promises in an answer every field that is not optional', () => {
    expect(jsonSchema(Alarm, 'answered').required).toEqual(['name', 'severity']);
  });

  it('has no empty list of required fields', () => {
    const schema = Type.Object({ severity: defaulted(Type.String(), 'LOW') });
    expect(jsonSchema(schema, 'written')).not.toHaveProperty('required');
  });

  it('refers to a named record wherever it stands', () => {
    const reference = { $ref: '#/components/schemas/User' };
    expect(jsonSchema(User, 'answered')).toEqual(reference);
    expect(jsonSchema(Type.Object({ author: User }), 'answered').properties).toEqual({
      author: reference,
    });
  });

  it('refuses what JSON cannot carry', () => {
    const schema = Type.Unsafe<string>({ type: 'string', check: () => true });
    expect(() => jsonSchema(schema, 'written')).toThrow('function');
    expect(() => jsonSchema(Type.Unsafe({ maximum: Infinity }), 'written')).toThrow('number');
  });
});
