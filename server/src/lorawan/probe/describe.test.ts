import { expect, it } from 'vitest';
import { chirpstackUplink } from '../../../test/support/lorawan.ts';
import { describeMessage } from './describe.ts';

const NETWORK = {
  kind: 'CHIRPSTACK_V4',
  ...{ applicationId: 'app', tenantId: null, topicTemplate: null },
  gatewayPrefixes: ['eu868'],
} as const;
const TOPIC = 'application/app/device/0101010101010101/event';

const described = (topic: string, message: unknown) =>
  describeMessage(NETWORK, topic, Buffer.from(JSON.stringify(message)), 0);

it('a probe says what becomes of each kind of message', () => {
  const up = described(`${TOPIC}/up`, chirpstackUplink());
  expect([up.kind, up.devEui]).toEqual(['up', '0101010101010101']);
  expect(describeMessage(NETWORK, `${TOPIC}/up`, Buffer.from([1]), 0)).toEqual({
    ...{ kind: 'unreadable', line: `${TOPIC}/up: the message is not JSON`, devEui: null },
  });
  expect(up.line).toContain(
    '0101010101010101 at 2022-07-18T09:34:15.775Z: {"payload":{"hex":"AA"}',
  );
  expect(described(`${TOPIC}/ack`, {})).toMatchObject({ kind: 'ignored', line: `${TOPIC}/ack` });
  expect(described(`${TOPIC}/up`, { deviceInfo: {} })).toMatchObject({
    kind: 'unreadable',
    line: `${TOPIC}/up: deviceInfo.devEui is not 16 hexadecimal characters`,
  });
  expect(described('eu868/gateway/0016c001f153a14c/state/conn', { state: 'ONLINE' })).toMatchObject(
    {
      kind: 'gateway',
      line: '0016C001F153A14C at 1970-01-01T00:00:00.000Z: {"lorawan":{"isConnected":true}}',
    },
  );
});
