import { expect, it } from 'vitest';
import { systemClock } from '../../../runtime/index.ts';
import type { CachedDevice } from '../../../variables/index.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { refused } from './outcome.ts';
import { createPublishing } from './publishing.ts';
import type { Session } from './sessions.ts';

const child: CachedDevice = {
  ...{ index: 1, deviceId: 'child', organizationId: 'organization', parentDeviceId: 'gateway' },
  ...{ takesReadings: true, passwordHash: 'none', variables: new Map() },
};

const session: Session = {
  ...{ index: 0, deviceId: 'gateway', organizationId: 'organization', passwordHash: 'none' },
  ...{ topic: 'topic', clientId: 'client', isRevoked: false, subscriptions: new Map() },
  device: { open: new Set(), theoreticalArrivalAt: 0, waitedUntil: 0 },
  link: { close: () => undefined, deliver: () => undefined },
  onClosed: () => undefined,
};

it('a message that waits for its Device is submitted as it was sent, though its connection reuses the memory', async () => {
  const submitted: string[] = [];
  const publish = createPublishing({
    submit({ payload }) {
      submitted.push(Buffer.from(payload as Uint8Array).toString());
      return undefined;
    },
    clock: systemClock,
    messagesPerSecond: 0,
    stopping: new AbortController().signal,
  });
  const acknowledgements = new Acknowledgements({
    send: () => undefined,
    outcomeOf: (error) => refused(String(error)),
  });
  const device = { deviceId: 'child', peek: () => undefined, get: async () => child };
  const route = { topic: 'topic', device, suffix: '', isOwn: false, refusal: null };
  const memory = Buffer.from('sent');
  const waits = publish(
    { session, route, payload: memory, receivedAt: 1 },
    acknowledgements.open(1, 1),
  );
  memory.write('next');
  await waits;
  expect(submitted).toEqual(['sent']);
});
