import { describe, expect, it } from 'vitest';
import {
  addressOf,
  deviceTopic,
  isMalformed,
  isWithinLimits,
  maySubscribe,
  suffixBelow,
  TOPIC_LIMITS,
} from './topic.ts';

const BASE = deviceTopic('org', 'device');

describe('a topic', () => {
  it('is of a Device when it is its topic or below', () => {
    expect(suffixBelow(BASE, BASE)).toBe('');
    expect(suffixBelow(BASE, `${BASE}/engine/main`)).toBe('engine/main');
    expect(suffixBelow(BASE, `${BASE}-2/engine`)).toBeNull();
    expect(suffixBelow(BASE, 'fieldwatch/org/other')).toBeNull();
  });

  it('names an organization, a Device and a suffix', () => {
    expect(addressOf(`${BASE}/a/b`)).toEqual({
      organizationId: 'org',
      deviceId: 'device',
      suffix: 'a/b',
    });
    expect(addressOf(BASE)?.suffix).toBe('');
    for (const other of ['other/org/device', 'fieldwatch/org', 'fieldwatch//device', '']) {
      expect(addressOf(other), other).toBeNull();
    }
  });

  it('is malformed with a NUL or with bytes that are no UTF-8', () => {
    expect(isMalformed(`${BASE}/a\0b`)).toBe(true);
    expect(isMalformed(`${BASE}/${Buffer.from([0xff]).toString()}`)).toBe(true);
    expect(isMalformed(`${BASE}/größe/⚡`)).toBe(false);
  });

  it('has a greatest length in bytes and a greatest depth', () => {
    const { maxBytes, maxLevels } = TOPIC_LIMITS;
    expect(isWithinLimits('x'.repeat(maxBytes))).toBe(true);
    expect(isWithinLimits('x'.repeat(maxBytes + 1))).toBe(false);
    expect(isWithinLimits(`${'x'.repeat(maxBytes - 4)}⚡`)).toBe(true);
    expect(isWithinLimits(`${'x'.repeat(maxBytes - 2)}⚡`)).toBe(false);
    expect(isWithinLimits('/'.repeat(maxLevels - 1))).toBe(true);
    expect(isWithinLimits('/'.repeat(maxLevels))).toBe(false);
  });

  it('may be subscribed to as all that is below a Device, and not otherwise', () => {
    expect(maySubscribe(BASE, `${BASE}/#`)).toBe(true);
    for (const filter of ['#', `${BASE}`, 'fieldwatch/#', 'fieldwatch/org/+/#', `${BASE}2/#`]) {
      expect(maySubscribe(BASE, filter), filter).toBe(false);
    }
  });
});
