import { describe, expect, it } from 'vitest';
import { adviceOf, type Probed } from './advice.ts';

const NETWORK = {
  kind: 'CHIRPSTACK_V4',
  ...{ applicationId: 'app', tenantId: null, topicTemplate: null, gatewayPrefixes: [] },
} as const;
const STACK = { ...NETWORK, kind: 'THE_THINGS_STACK_V3', tenantId: 'ttn' } as const;
const GOOD: Probed = {
  ...{ counts: { up: 1 }, unacknowledged: 0, unknown: [], isActive: true, hasEnded: false },
};

describe('a probe', () => {
  it('has no advice where sensors that are Devices send with QoS 1', () => {
    expect(adviceOf(NETWORK, GOOD)).toEqual([]);
  });

  it.each([
    ['no sensor', NETWORK, { counts: { gateway: 3, ignored: 1 } }, /is app,.*refuse that silently/],
    ['no sensor of a tenant', STACK, { counts: {} }, /is app@ttn,/],
    ['QoS 0 of ChirpStack', NETWORK, { unacknowledged: 2 }, /^2 events .* Set qos=1 in \[integr/],
    ['QoS 0 of The Things Stack', STACK, { unacknowledged: 1 }, /^1 event was .*are lost while/],
    [
      'unknown sensors',
      NETWORK,
      { unknown: ['A', 'B'] },
      /has the EUI A, B: create a Device for each/,
    ],
    ['other formats', NETWORK, { counts: { up: 1, unreadable: 1 } }, /set json=true/],
    ['a disabled network', NETWORK, { isActive: false }, /^The network is disabled/],
    ['the end of the connection', NETWORK, { hasEnded: true }, /^The broker closed/],
  ])('that sees %s says what to do', (_, network, seen, line) => {
    const lines = adviceOf(network, { ...GOOD, ...seen });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });
});
