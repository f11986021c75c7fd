import { expect, it } from 'vitest';
import { namesByReason, runBulk } from './bulk.ts';

const RECORDS = Array.from({ length: 10 }, (_, index) => index);

it('bulk work calls once for each record, at most four at a time', async () => {
  const progress: number[] = [];
  const called: number[] = [];
  let [running, most] = [0, 0];
  const failures = await runBulk({
    records: RECORDS,
    run: async (record) => {
      called.push(record);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    },
    onProgress: (done) => progress.push(done),
  });
  expect(called.toSorted((a, b) => a - b)).toEqual(RECORDS);
  expect(most).toBe(4);
  expect(progress).toEqual(RECORDS.map((index) => index + 1));
  expect(failures).toEqual([]);
});

it('bulk work goes on after a failure, and returns each record that failed with its error', async () => {
  const called: number[] = [];
  const failures = await runBulk({
    records: RECORDS,
    run: async (record) => {
      called.push(record);
      await Promise.resolve();
      if (record % 4 === 3) throw new Error(`refused ${record}`);
    },
    onProgress: () => undefined,
  });
  expect(called).toHaveLength(10);
  expect(failures).toEqual([
    { record: 3, error: new Error('refused 3') },
    { record: 7, error: new Error('refused 7') },
  ]);
});

it('failures of bulk work are grouped by their reason', () => {
  const failures = [
    { record: 'a', error: 'in use' },
    { record: 'b', error: 'unreachable' },
    { record: 'c', error: 'in use' },
  ];
  const names = namesByReason(failures, {
    nameOf: (record) => `Webhook ${record}`,
    reasonOf: String,
  });
  expect([...names]).toEqual([
    ['in use', ['Webhook a', 'Webhook c']],
    ['unreachable', ['Webhook b']],
  ]);
});
