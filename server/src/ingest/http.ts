import { MAX_REJECTED_TOLD, type Operations, operations } from '@fieldwatch/contract';
import { authorize, type Caller, type Handler } from '../http/index.ts';
import { Failure, invalid, notFound } from '../runtime/index.ts';
import type { DeviceEntries, DeviceEntry } from '../variables/index.ts';
import { type Pipeline, type Receipt, taken } from './pipeline.ts';

interface HttpIngestDeps {
  readonly entries: DeviceEntries;
  readonly take: Pipeline['take'];
}

export interface HttpIngest {
  readonly writeReadings: Handler<Operations['writeReadings']>;
  readonly writePayload: Handler<Operations['writePayload']>;
}

export function createHttpIngest({ entries, take }: HttpIngestDeps): HttpIngest {
  async function find(organizationId: string, deviceId: string): Promise<DeviceEntry | null> {
    const entry = await entries.get(deviceId);
    return entry?.organizationId === organizationId ? entry : null;
  }

  return {
    async writeReadings({ params: { organizationId, deviceId }, body }, { caller, now }) {
      const entry = await find(organizationId, deviceId);
      requireSpeaksFor(caller, entry);
      if (!entry) throw notFound('Device');
      const arrival = {
        device: entries.handle(deviceId),
        suffix: '',
        payload: body,
        receivedAt: now,
      };
      return receiptOf(await taken(take, arrival));
    },
    async writePayload({ body }, { caller, now }) {
      const organizationId = body.organizationId.toLowerCase();
      const { access } = operations.writeReadings;
      const refusal = authorize(access, caller, organizationId);
      if (refusal) throw refusal;
      const deviceId = body.deviceId.toLowerCase();
      const entry = await find(organizationId, deviceId);
      requireSpeaksFor(caller, entry);
      if (!entry) throw invalid({ path: 'deviceId', message: 'is not a Device here' });
      const { organizationId: _, deviceId: __, ...payload } = body;
      const arrival = { device: entries.handle(deviceId), suffix: '', payload, receivedAt: now };
      return receiptOf(await taken(take, arrival));
    },
  };
}

function receiptOf({ accepted, stored, rejected }: Receipt) {
  return { body: { accepted, stored, rejected: rejected.slice(0, MAX_REJECTED_TOLD) } };
}

/** A Device learns nothing of Devices that it does not speak for, not even that they are there. */
function requireSpeaksFor(caller: Caller, entry: DeviceEntry | null): void {
  if (caller.kind !== 'DEVICE') return;
  if (entry?.deviceId === caller.id || entry?.parentDeviceId === caller.id) return;
  throw new Failure(
    'PERMISSION_MISSING',
    'A Device writes readings for itself and for Devices whose parent it is.',
  );
}
