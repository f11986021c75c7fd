import { describe, expect, it } from 'vitest';
import { DeliveryWindow } from './delivery.ts';

const open = { receiveMaximum: 65_535, maxPacketBytes: 1_000 };

describe('what is delivered to a client', () => {
  it('is never more at once than it said it can take', () => {
    const window = new DeliveryWindow({ ...open, receiveMaximum: 2 });
    const ids = [1, 2, 3].map(() => window.admit(1, 10, 0));
    expect(ids).toEqual([1, 2, null]);
    window.acknowledged(1);
    expect(window.admit(1, 10, 0)).toBe(3);
    expect(window.admit(0, 10, 0)).toBe(0);
  });

  it('is at most a hundred messages that it has not acknowledged', () => {
    const window = new DeliveryWindow(open);
    const ids = Array.from({ length: 101 }, () => window.admit(1, 10, 0));
    expect(ids.slice(98)).toEqual([99, 100, null]);
  });

  it.each([
    [999, 999],
    [1_000, 1_000],
    [1_001, null],
  ])('is no larger than its limit: %i bytes', (bytes, expected) => {
    const admitted = new DeliveryWindow(open).admit(0, bytes, 0);
    expect(admitted).toBe(expected === null ? null : 0);
  });

  it('is left out while too much is on its way', () => {
    const window = new DeliveryWindow(open);
    expect(window.admit(0, 10, 256 * 1024)).toBe(0);
    expect(window.admit(0, 10, 256 * 1024 + 1)).toBeNull();
  });

  it('never has an identifier that is in use', () => {
    const window = new DeliveryWindow(open);
    const kept = window.admit(1, 10, 0);
    for (let count = 0; count < 65_534; count += 1) {
      window.acknowledged(window.admit(1, 10, 0) ?? 0);
    }
    expect(kept).toBe(1);
    expect(window.admit(1, 10, 0)).toBe(2);
  });
});
