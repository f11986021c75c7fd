import { describe, expect, it } from 'vitest';
import { withClaim } from './claims.ts';
import { parseSettings, withSeverity } from './settings.ts';

describe('alerts of a browser', () => {
  it('are off until a severity is selected, also with unusable settings', () => {
    const off = { sound: [], notification: [] };
    expect(parseSettings(null)).toEqual(off);
    expect(parseSettings('no json')).toEqual(off);
    expect(parseSettings('{"sound":["LOUD","HIGH"],"notification":"HIGH"}')).toEqual({
      sound: ['HIGH'],
      notification: [],
    });
  });

  it('are selected for each severity and kind apart', () => {
    const high = withSeverity(parseSettings(null), 'sound', 'HIGH', true);
    expect(high).toEqual({ sound: ['HIGH'], notification: [] });
    const both = withSeverity(high, 'sound', 'CRITICAL', true);
    expect(withSeverity(both, 'sound', 'HIGH', false).sound).toEqual(['CRITICAL']);
  });

  it('report an alarm in one tab only, and drop the oldest alarms', () => {
    const first = withClaim(null, 'a');
    expect(first).toBe('a');
    expect(withClaim(first, 'a')).toBeNull();
    expect(withClaim(first, 'b')).toBe('a b');
    const many = Array.from({ length: 200 }, (_, index) => String(index)).join(' ');
    expect(withClaim(many, 'last')?.split(' ')).toHaveLength(200);
    expect(withClaim(many, 'last')?.startsWith('1 ')).toBe(true);
  });
});
