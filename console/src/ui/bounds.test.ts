import { describe, expect, it } from 'vitest';
import { boundsErrors } from './bounds.ts';

const BOUNDS = { threshold: { min: 0, max: 999_999 }, 'details.ratedKw': { min: 0 } };

describe('boundsErrors', () => {
  it.each([
    [{ threshold: -5 }, { threshold: 'Must be at least 0' }],
    [{ threshold: '-5' }, { threshold: 'Must be at least 0' }],
    [{ threshold: 1_000_000 }, { threshold: 'Must be at most 999,999' }],
    [{ threshold: '123456789012345678' }, { threshold: 'Must be at most 999,999' }],
    [{ threshold: '-' }, { threshold: 'Must be a number' }],
    [{ details: { ratedKw: -1 } }, { 'details.ratedKw': 'Must be at least 0' }],
  ])('refuses %j', (values, errors) => {
    expect(boundsErrors(values, BOUNDS)).toEqual(errors);
  });

  it.each([{ threshold: '' }, { threshold: null }, {}, { threshold: 0 }, { threshold: '4.20' }])(
    'accepts %j',
    (values) => {
      expect(boundsErrors({ details: { ratedKw: 1e9 }, ...values }, BOUNDS)).toEqual({});
    },
  );
});
