import { FieldwatchError, type LiveEvent } from '@fieldwatch/client';
import type { SharedDashboard, SharedState } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { createSharedClient, type EndReason } from './shared-client.ts';

const board: SharedDashboard = {
  name: 'Wall',
  refreshIntervalSeconds: 30,
  expiresDateTime: null,
  configuration: { version: 1, widgets: [] },
  variables: [
    {
      id: 'v',
      name: 'Fuel',
      type: 'NUMBER',
      unit: '%',
      classificationType: null,
      deviceId: 'd',
      deviceName: 'Generator',
    },
  ],
  assets: [
    {
      id: 'a',
      name: 'Generator 1',
      classificationType: 'ELECTRICAL_GENERATOR',
      locationId: 'l',
      variableIds: ['v'],
    },
  ],
  locations: [],
  thresholds: [
    { variableId: 'v', alarmName: 'Low', operator: 'LESS_THAN', value: 20, severity: 'HIGH' },
  ],
  revision: 'one',
};
const state = (fields: Partial<SharedState> = {}): SharedState => ({
  revision: 'one',
  values: [{ variableId: 'v', timestamp: 5, value: 63 }],
  alarms: [],
  ...fields,
});

const refused = (status: number) =>
  new FieldwatchError({
    code: 'UNRECOGNIZED',
    status,
    detail: '',
    errors: [],
    requestId: null,
    retryAfterSeconds: null,
  });

function rig(...states: (SharedState | Error)[]) {
  const sent: string[] = [];
  const ended: EndReason[] = [];
  let changes = 0;
  const client = createSharedClient({
    client: {
      request: (async (id: string) => {
        sent.push(id);
        return { body: {}, etag: null };
      }) as never,
      retrieveSharedState: async () => {
        const next = states.shift() ?? state();
        if (next instanceof Error) throw next;
        return next;
      },
    },
    board: () => board,
    async onChanged() {
      changes += 1;
    },
    onEnded: (reason) => ended.push(reason),
    pause: async () => undefined,
  });
  const request = async (id: Parameters<typeof client.request>[0], input: object = {}) =>
    (await client.request(id, input as never)).body;
  const events = async (count: number) => {
    const found: LiveEvent[] = [];
    for await (const event of client.followLive({ organizationId: '' })) {
      found.push(event);
      if (found.length === count) break;
    }
    return found.map(({ type }) => type);
  };
  return { request, events, sent, ended, changes: () => changes };
}

describe('a shared board', () => {
  it('answers the reads of its widgets from what the link delivers', async () => {
    const { request, sent } = rig();
    expect(await request('retrieveVariable', { variableId: 'v' })).toMatchObject({ name: 'Fuel' });
    expect(await request('retrieveAsset', { assetId: 'a' })).toMatchObject({
      variables: [{ id: 'v' }],
    });
    expect(await request('listLatestValues', { query: { ids: ['v'] } })).toMatchObject({
      items: [{ value: 63 }],
    });
    expect(await request('searchAlarms', { body: { deviceVariableIds: ['v'] } })).toMatchObject({
      items: [{ thresholdValueNumber: 20 }],
    });
    await request('listManyReadings', { query: { ids: ['v'] } });
    expect(sent).toEqual(['listSharedReadings']);
  });

  it.each([
    ['listDevices', {}],
    ['retrieveVariable', { variableId: 'other' }],
    ['retrieveMe', {}],
    ['createDashboard', {}],
  ] as const)('refuses %s %j without a request', async (id, input) => {
    const { request, sent } = rig();
    await expect(request(id, input)).rejects.toMatchObject({ status: 404 });
    expect(sent).toEqual([]);
  });

  it('reports values, changed alarms and a lost connection, and recovers', async () => {
    const alarm = {
      id: 'e',
      alarmName: 'Low',
      severity: 'HIGH' as const,
      variableId: 'v',
      assetIds: [],
      raisedDateTime: '',
      raisedValue: 5,
      isAcknowledged: false,
    };
    const { events } = rig(state(), state({ alarms: [alarm] }), new Error('away'), state());
    expect(await events(8)).toEqual([
      ...['ready', 'readings', 'missed'],
      ...['readings', 'missed'],
      'lost',
      ...['ready', 'readings'],
    ]);
  });

  it('is read again when it was changed', async () => {
    const { events, changes } = rig(state(), state({ revision: 'two' }));
    await events(4);
    expect(changes()).toBe(1);
  });

  it.each([
    [401, 'revoked'],
    [404, 'unavailable'],
  ])('ends when the service answers %i: %s', async (status, reason) => {
    const { events, ended } = rig(state(), refused(status));
    await events(10);
    expect(ended).toEqual([reason]);
  });
});
