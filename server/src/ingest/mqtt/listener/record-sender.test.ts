import { expect, it } from 'vitest';
import { RecordSender } from './record-sender.ts';
import { createRingMemory, MAX_RECORD_BYTES, RingReader, RingWriter } from './ring.ts';

const RECORDS = 100;

it('records without room are held and sent in order, and those who wait are called once all are sent', async () => {
  const memory = createRingMemory();
  const sender = new RecordSender(new RingWriter(memory, () => undefined));
  const reader = new RingReader(memory, () => undefined);
  const content = Buffer.alloc(MAX_RECORD_BYTES);
  const isSent = Array.from({ length: RECORDS }, (_, id) => sender.send(id, 1, content.fill(id)));
  expect(isSent.indexOf(false)).toBeGreaterThan(5);
  expect(isSent.lastIndexOf(true)).toBe(isSent.indexOf(false) - 1);
  let called = 0;
  sender.whenRoom(() => {
    called += 1;
  });
  const seen: number[] = [];
  let retries = 0;
  while (called === 0) {
    await new Promise(setImmediate);
    reader.read((id, _, bytes) => seen.push(bytes.every((byte) => byte === id) ? id : -1));
    sender.retry();
    expect(++retries).toBeLessThan(RECORDS);
  }
  await new Promise(setImmediate);
  while (reader.read((id, _, bytes) => seen.push(bytes[0] === id ? id : -1)));
  expect(seen).toEqual(Array.from({ length: RECORDS }, (_, id) => id));
  expect(called).toBe(1);
});
