import { MAX_LISTED_REJECTIONS, type Operations, operations } from '@fieldwatch/contract';
import { authorize, type Caller, type DecodeBody, type Handler } from '../http/index.ts';
import { type Clock, Failure, invalid, notFound } from '../runtime/index.ts';
import type { CachedDevice, DeviceCache } from '../variables/index.ts';
import { decodePlain } from './decode/index.ts';
import type { Receipt, Submit } from './message.ts';
import { submitAndWait } from './pipeline.ts';

interface HttpIngestDeps {
  readonly deviceCache: DeviceCache;
  readonly submit: Submit;
  readonly clock: Clock;
}

export interface HttpIngest {
  /** Decodes the body of `writeReadings` in the forms that most clients send. */
  readonly decodeBody: DecodeBody;
  readonly writeReadings: Handler<Operations['writeReadings']>;
  readonly writePayload: Handler<Operations['writePayload']>;
}

export function createHttpIngest({ deviceCache, submit, clock }: HttpIngestDeps): HttpIngest {
  async function find(organizationId: string, deviceId: string): Promise<CachedDevice | null> {
    const device = await deviceCache.get(deviceId);
    return device?.organizationId === organizationId ? device : null;
  }

  return {
    decodeBody: (bytes) => decodePlain(bytes, clock.now()),
    async writeReadings({ params: { organizationId, deviceId }, body }, { caller, now }) {
      const device = await find(organizationId, deviceId);
      requireMayWrite(caller, device);
      if (!device) throw notFound('Device');
      const message = {
        device: deviceCache.handle(deviceId),
        suffix: '',
        payload: body,
        receivedAt: now,
        isAwaited: true,
      };
      return receiptOf(await submitAndWait(submit, message));
    },
    async writePayload({ body }, { caller, now }) {
      const organizationId = body.organizationId.toLowerCase();
      const { access } = operations.writeReadings;
      const refusal = authorize(access, caller, organizationId);
      if (refusal) throw refusal;
      const deviceId = body.deviceId.toLowerCase();
      const device = await find(organizationId, deviceId);
      requireMayWrite(caller, device);
      if (!device) throw invalid({ path: 'deviceId', message: 'is not a Device here' });
      const { organizationId: _, deviceId: __, ...payload } = body;
      const message = {
        device: deviceCache.handle(deviceId),
        suffix: '',
        payload,
        receivedAt: now,
        isAwaited: true,
      };
      return receiptOf(await submitAndWait(submit, message));
    },
  };
}

function receiptOf({ accepted, stored, rejected }: Receipt) {
  return { body: { accepted, stored, rejected: rejected.slice(0, MAX_LISTED_REJECTIONS) } };
}

/** A Device cannot find out whether other Devices exist, unless it is their parent. */
function requireMayWrite(caller: Caller, device: CachedDevice | null): void {
  if (caller.kind !== 'DEVICE') return;
  if (device?.deviceId === caller.id || device?.parentDeviceId === caller.id) return;
  throw new Failure(
    'PERMISSION_MISSING',
    'A Device writes readings for itself and for Devices whose parent it is.',
  );
}
