import { expect, it } from 'vitest';
import { Failure } from '../../runtime/index.ts';
import { Readiness, STALL_MS } from './readiness.ts';

it.each(['STORAGE_UNAVAILABLE', 'OVERLOADED'] as const)(
  'readiness restarts with the first response of storage after %s',
  (code) => {
    const readiness = new Readiness();
    readiness.begin(100);
    readiness.answered(0, 200);
    expect(readiness.since).toBe(100);
    readiness.failed(new Failure(code, 'gone'));
    expect(readiness.since).toBe(100);
    readiness.answered(0, 300);
    readiness.answered(0, 400);
    expect(readiness.since).toBe(300);
    readiness.failed(new Error('a bad statement'));
    readiness.answered(0, 500);
    expect(readiness.since).toBe(300);
    readiness.lost();
    readiness.answered(0, 600);
    expect(readiness.since).toBe(600);
  },
);

it.each([
  [STALL_MS - 1, 100],
  [STALL_MS, 100],
  [STALL_MS + 1, 9_000],
])('an answer of storage after %i ms leaves the server ready since %i', (tookMs, since) => {
  const readiness = new Readiness();
  readiness.begin(100);
  readiness.answered(tookMs, 9_000);
  expect(readiness.since).toBe(since);
});

it('a batch of readings that is not stored for long ends readiness, until it is stored', () => {
  const readiness = new Readiness();
  readiness.begin(100);
  const [first, second] = [readiness.batchBegun(0), readiness.batchBegun(STALL_MS)];
  readiness.checkBatches(STALL_MS, 5_000);
  expect(readiness.since).toBe(100);
  readiness.checkBatches(STALL_MS + 1, 5_001);
  readiness.checkBatches(STALL_MS + 200, 5_200);
  expect(readiness.since).toBe(5_200);
  first();
  readiness.checkBatches(STALL_MS + 400, 5_400);
  expect(readiness.since).toBe(5_200);
  second();
  readiness.checkBatches(9 * STALL_MS, 90_000);
  expect(readiness.since).toBe(5_200);
});
