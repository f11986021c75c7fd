import { expect, it } from 'vitest';
import { isColumnShown, parseColumnChoices } from './columns.ts';

it('stored choices of columns are read, and damaged ones are ignored', () => {
  expect(parseColumnChoices('{"Type":false,"Created":true,"Name":3}')).toEqual({
    Type: false,
    Created: true,
  });
  for (const damaged of [null, '', 'null', '[', '7']) {
    expect(parseColumnChoices(damaged)).toEqual({});
  }
});

it('a column is shown by the choice of the user, else unless it is optional', () => {
  expect(isColumnShown({ head: 'Type' }, {})).toBe(true);
  expect(isColumnShown({ head: 'Type' }, { Type: false })).toBe(false);
  expect(isColumnShown({ head: 'Created', isOptional: true }, {})).toBe(false);
  expect(isColumnShown({ head: 'Created', isOptional: true }, { Created: true })).toBe(true);
});
