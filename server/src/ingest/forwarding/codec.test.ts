import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Failure } from '../../runtime/index.ts';
import { decodeMessages, decodeOutcomes, encodeMessages, encodeOutcomes } from './codec.ts';
import { MOVED, UNKNOWN } from './outcome.ts';

const messages = fc.array(
  fc.record({
    deviceId: fc.uuid(),
    suffix: fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 200 })),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      fc.dictionary(fc.string(), fc.oneof(fc.double(), fc.string(), fc.boolean())),
    ),
    receivedAt: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
    showsPresence: fc.boolean(),
    time: fc.record({
      at: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
      isFixed: fc.boolean(),
    }),
  }),
  { maxLength: 20 },
);

it('messages are the same at the other node', () => {
  fc.assert(
    fc.property(messages, (given) => {
      expect(decodeMessages(encodeMessages(given))).toEqual(given);
    }),
  );
});

it('messages that are cut off are refused', () => {
  fc.assert(
    fc.property(messages, fc.nat(), (given, cut) => {
      const bytes = encodeMessages(given);
      const length = cut % (bytes.length + 1);
      let decoded: unknown[] = [];
      try {
        decoded = decodeMessages(bytes.subarray(0, length));
      } catch {
        return;
      }
      expect(decoded).toEqual(given.slice(0, decoded.length));
    }),
  );
});

it('outcomes are the same at the other node, and errors of the server say nothing', () => {
  const failure = new Failure('INVALID_REQUEST', 'body is wrong', {
    errors: [{ path: 'body', message: 'is wrong' }],
    retryAfterSeconds: 3,
  });
  const receipt = {
    accepted: 2,
    stored: 1,
    rejected: [{ key: 'a', reason: 'unknownPath' } as const],
  };
  const decoded = decodeOutcomes(
    encodeOutcomes([
      { kind: 'STORED', receipt },
      { kind: 'STORED', receipt: { accepted: 1, stored: 1, rejected: [] } },
      MOVED,
      UNKNOWN,
      { kind: 'RETIMED', at: 1_794_840_685_842 },
      { kind: 'FAILED', error: failure },
      { kind: 'FAILED', error: new Error('secret') },
    ]),
  );
  expect(decoded.slice(0, 5)).toEqual([
    { kind: 'STORED', receipt },
    { kind: 'STORED', receipt: { accepted: 1, stored: 1, rejected: [] } },
    MOVED,
    UNKNOWN,
    { kind: 'RETIMED', at: 1_794_840_685_842 },
  ]);
  const [known, unknown] = decoded.slice(5);
  expect(known).toMatchObject({ kind: 'FAILED', error: { ...failure, message: 'body is wrong' } });
  expect(JSON.stringify(unknown)).not.toContain('secret');
  expect(unknown).toMatchObject({ kind: 'FAILED', error: { code: 'INTERNAL' } });
});
