import { expect, it } from 'vitest';
import { Failure } from '../../runtime/index.ts';
import { Readiness } from './readiness.ts';

it('readiness begins anew with the first answer of storage after it was lost', () => {
  const readiness = new Readiness();
  readiness.begin(100);
  readiness.confirmed(200);
  expect(readiness.since).toBe(100);
  readiness.failed(new Failure('STORAGE_UNAVAILABLE', 'gone'));
  expect(readiness.since).toBe(100);
  readiness.confirmed(300);
  readiness.confirmed(400);
  expect(readiness.since).toBe(300);
  readiness.failed(new Error('a bad statement'));
  readiness.confirmed(500);
  expect(readiness.since).toBe(300);
  readiness.lost();
  readiness.confirmed(600);
  expect(readiness.since).toBe(600);
});
