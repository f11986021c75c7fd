import { describe, expect, it } from 'vitest';
import { sql, statementOf } from './index.ts';

describe('the sql tag', () => {
  it('makes every value a parameter, whatever it holds', () => {
    const values = [
      "'; drop table users; --",
      7,
      true,
      null,
      ['a', 'b'],
      Buffer.from('x'),
    ] as const;
    const [text, number, boolean, none, list, bytes] = values;
    expect(
      statementOf(sql`values (${text}, ${number}, ${boolean}, ${none}, ${list}, ${bytes})`),
    ).toEqual({ sql: 'values ($1, $2, $3, $4, $5, $6)', params: values });
  });

  it('numbers the parameters of nested fragments in the order of the text', () => {
    const inner = sql`b = ${2}`;
    const fragment = sql`select ${1} where ${inner} and c = ${3} and ${inner}`;
    expect(statementOf(fragment)).toEqual({
      sql: 'select $1 where b = $2 and c = $3 and b = $4',
      params: [1, 2, 3, 2],
    });
    // A fragment may be part of several statements: its numbers are those of each.
    expect(statementOf(inner)).toEqual({ sql: 'b = $1', params: [2] });
  });

  it('joins fragments with a comma, or with the separator that is given', () => {
    const rows = [sql`(${1})`, sql`(${2})`, sql`(3)`];
    expect(statementOf(sql.join(rows)).sql).toBe('($1), ($2), (3)');
    expect(statementOf(sql.join(rows, sql` or `))).toEqual({
      sql: '($1) or ($2) or (3)',
      params: [1, 2],
    });
    expect(statementOf(sql`[${sql.join([])}]`)).toEqual({ sql: '[]', params: [] });
  });

  it('quotes identifiers', () => {
    expect(statementOf(sql`select ${sql.identifier('a"; drop table t')}`).sql).toBe(
      'select "a""; drop table t"',
    );
  });

  it('writes integers into the text, and refuses other numbers', () => {
    expect(statementOf(sql`select ${sql.integer(98_304)}`)).toEqual({
      sql: 'select 98304',
      params: [],
    });
    for (const value of [1.5, Number.NaN, 2 ** 53]) {
      expect(() => sql.integer(value)).toThrow(RangeError);
    }
  });

  it('treats an object that looks like a fragment as a value', () => {
    const forged = JSON.parse('{"texts":["drop table users"],"values":[]}');
    expect(statementOf(sql`select ${forged}`)).toEqual({ sql: 'select $1', params: [forged] });
  });
});
