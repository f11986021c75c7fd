import { operations } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { type Answered, call } from './call.ts';

export interface Target {
  readonly auth: string;
  readonly organizationId: string;
}

export interface Stored {
  readonly timestamp: number;
  readonly value: number;
}

const PAGE = 50_000;

/** What the history of a Variable has up to a time, from end to end. */
export async function storedReadings(
  url: string,
  { auth, organizationId }: Target,
  variableId: string,
  endTime: number,
): Promise<Stored[]> {
  const all: Stored[] = [];
  for (let startTime: number | null = 0; startTime !== null; ) {
    const answer: Answered = await call(url, operations.listReadings, {
      auth,
      params: { organizationId, variableId },
      query: `startTime=${startTime}&endTime=${endTime}&take=${PAGE}`,
    });
    expect(answer.status, answer.text).toBe(200);
    all.push(...answer.body.items);
    startTime = answer.body.nextStartTime;
  }
  return all;
}

/** Reports readings of one Variable. */
export function createReporter({ auth, organizationId }: Target) {
  let deviceId = '';
  let variableId = '';

  return {
    /** Makes the Device and its Variable. */
    async prepare(url: string): Promise<void> {
      const device = await call(url, operations.createDevice, {
        auth,
        params: { organizationId },
        body: { type: 'CUSTOM_DEVICE', name: 'Reporter' },
      });
      deviceId = device.body.id;
      const variable = await call(url, operations.createVariable, {
        auth,
        params: { organizationId, deviceId },
        body: {
          topicPropertyPath: 'engine.rpm',
          type: 'NUMBER',
          name: 'Speed',
          isLoggingEnabled: true,
        },
      });
      variableId = variable.body.id;
    },
    /** Reports values without a timestamp, in one message. */
    async reportUntimed(url: string, values: readonly number[]): Promise<void> {
      const { status, body } = await call(url, operations.writeReadings, {
        auth,
        params: { organizationId, deviceId },
        body: { dataArray: values.map((value) => ({ key: 'engine.rpm', value })) },
      });
      expect([status, body.stored]).toEqual([200, values.length]);
    },
    /** Every reading that the history has, whatever its time. */
    storedUntimed: (url: string) =>
      storedReadings(url, { auth, organizationId }, variableId, Date.now() + 3_600_000),
  };
}
