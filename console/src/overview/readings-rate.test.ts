import { describe, expect, it } from 'vitest';
import { acceptedIn, rateOf } from './readings-rate.ts';

describe('the rate of readings', () => {
  it('is found in the metrics of the server', () => {
    const metrics = 'a 1\nfieldwatch_readings_total{outcome="accepted"} 34560\nb 2\n';
    expect(acceptedIn(metrics)).toBe(34_560);
    expect(acceptedIn('a 1')).toBeNull();
  });

  it('is what came between two looks, by the second', () => {
    expect(rateOf({ total: 100, atMs: 0 }, { total: 600, atMs: 5_000 })).toBe(100);
  });

  it('is not known after one look, nor after the server began anew', () => {
    expect(rateOf(null, { total: 5, atMs: 1 })).toBeNull();
    expect(rateOf({ total: 100, atMs: 0 }, { total: 5, atMs: 5_000 })).toBeNull();
  });
});
