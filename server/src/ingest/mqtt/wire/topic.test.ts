import { describe, expect, it } from 'vitest';
import {
  addressOf,
  deviceTopic,
  isFilter,
  isWithinLimits,
  maySubscribe,
  suffixBelow,
  TOPIC_LIMITS,
} from './topic.ts';

const BASE = deviceTopic('org', 'device');

describe('a topic', () => {
  it('belongs to a Device when it is its topic or below', () => {
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

  it('of a filter may have any character of MQTT, and wildcards at their places only', () => {
    for (const filter of [`${BASE}/größe/⚡`, `${BASE}/\ufffd`, '+/a/#', '#']) {
      expect(isFilter(filter), filter).toBe(true);
    }
    for (const filter of ['', 'a\0b', 'a#', 'a/#/b', 'a+/b']) {
      expect(isFilter(filter), filter).toBe(false);
    }
  });

  it('has a maximum length in bytes and a maximum depth', () => {
    const { maxBytes, maxLevels } = TOPIC_LIMITS;
    expect(isWithinLimits('x'.repeat(maxBytes))).toBe(true);
    expect(isWithinLimits('x'.repeat(maxBytes + 1))).toBe(false);
    expect(isWithinLimits(`${'x'.repeat(maxBytes - 4)}⚡`)).toBe(true);
    expect(isWithinLimits(`${'x'.repeat(maxBytes - 2)}⚡`)).toBe(false);
    expect(isWithinLimits('/'.repeat(maxLevels - 1))).toBe(true);
    expect(isWithinLimits('/'.repeat(maxLevels))).toBe(false);
  });

  it('can be subscribed to with a filter for everything below a Device only', () => {
    expect(maySubscribe(BASE, `${BASE}/#`)).toBe(true);
    for (const filter of ['#', `${BASE}`, 'fieldwatch/#', 'fieldwatch/org/+/#', `${BASE}2/#`]) {
      expect(maySubscribe(BASE, filter), filter).toBe(false);
    }
  });
});
