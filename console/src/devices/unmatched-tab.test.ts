import { expect, it } from 'vitest';
import { suggestionOf } from './unmatched-tab.tsx';

const received = (path: string, lastValue: number) => ({
  path,
  lastValue,
  lastDateTime: '2026-11-16T12:00:00.000Z',
  occurrences: 1,
});

it('a path that is long enough is suggested for the Variable as it is', () => {
  expect(suggestionOf(received('engine.oilPressure', 4.2))).toEqual({
    topicPropertyPath: 'engine.oilPressure',
    name: 'Oil pressure',
    type: 'NUMBER',
  });
});

it('a path under five characters is suggested below a key, since no Variable can have it', () => {
  expect(suggestionOf(received('kw', 12))).toMatchObject({
    topicPropertyPath: 'values.kw',
    name: 'Kw',
  });
  expect(suggestionOf(received('fuel', 12)).topicPropertyPath).toBe('values.fuel');
});
