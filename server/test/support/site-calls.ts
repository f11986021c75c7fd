import { operations, type Severity } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { ingestCalls } from './ingest-calls.ts';
import type { TestOrganization } from './server.ts';

const PATH = 'engine.oil';

interface Watched {
  readonly id: string;
  readonly variableId: string;
}

/** Sites with Devices whose oil pressure is watched. */
export function siteCalls(server: TestOrganization) {
  const { newDevice, newVariable, editDevice, write } = ingestCalls(server);
  return {
    newVariable,
    editDevice,
    async newLocation(name: string, parentId: string | null = null): Promise<string> {
      return (await server.call(operations.createLocation, { body: { name, parentId } })).body.id;
    },
    /** A Device that has not reported yet. */
    async newDevice(locationId: string | null, name = 'Generator'): Promise<Watched> {
      const { id } = await newDevice({ name, locationId });
      return { id, variableId: await newVariable(id, PATH) };
    },
    /** Raised by values below 2. */
    async newAlarm({ id, variableId }: Watched, severity: Severity): Promise<void> {
      const reply = await server.call(operations.createAlarm, {
        body: {
          name: `Oil pressure, ${severity}`,
          isActive: true,
          deviceId: id,
          deviceVariableId: variableId,
          operator: 'LESS_THAN',
          thresholdValueNumber: 2,
          severity,
          isAcknowledgeable: true,
          alarmGroupId: null,
        },
      });
      expect(reply.status, reply.text).toBe(201);
    },
    report: (device: { readonly id: string }, value: number) => write(device.id, { [PATH]: value }),
  };
}

export type SiteCalls = ReturnType<typeof siteCalls>;
