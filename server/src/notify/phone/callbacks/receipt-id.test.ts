import { expect, it } from 'vitest';
import { attemptNamed, receiptIdOf } from './receipt-id.ts';

const attempt = { deliveryId: '018f0000-0000-7000-8000-0000000000a3', attempt: 12 };

it('a receipt id names its attempt in at most 50 characters', () => {
  expect(attemptNamed(receiptIdOf(attempt))).toEqual(attempt);
  expect(receiptIdOf({ ...attempt, attempt: 999_999 }).length).toBeLessThanOrEqual(50);
});

it.each(['', '4711', attempt.deliveryId, `${attempt.deliveryId}.`, `${attempt.deliveryId}.1 `])(
  'a receipt id that is %j names no attempt',
  (receiptId) => {
    expect(attemptNamed(receiptId)).toBeNull();
  },
);
