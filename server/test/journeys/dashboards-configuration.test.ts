import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DashboardCalls,
  dashboardCalls,
  errorsOf,
  showing,
  widget,
} from '../support/dashboards.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';
const MAX_BYTES = 256 * 1024;
const EMPTY = { version: 1, widgets: [] };

let server: TestOrganization;
let calls: DashboardCalls;

beforeAll(async () => {
  server = await joinServer();
  calls = dashboardCalls(server);
});

describe('the configuration of a Dashboard', () => {
  it('comes back as it was sent, unknown types and settings and the order of keys included', async () => {
    const configuration = {
      widgets: [
        widget({ type: 'HOLOGRAM', depth: { b: 1, a: [null, 1.5e300, ''] }, variableId: 5 }),
        { zIndex: 1, h: 1, w: 1, y: 1, x: 1, type: 'VALUE', id: 'b', newer: true },
      ],
      version: 1,
      theme: 'dark',
    };
    const { id } = await calls.made({ configuration });
    const { text } = await calls.retrieve(id);
    expect(text).toContain(JSON.stringify(configuration));
  });

  it.each([
    ['id', '', 400],
    ['id', 'x', 201],
    ['id', 'x'.repeat(99) + EMOJI, 201],
    ['id', 'x'.repeat(100) + EMOJI, 400],
    ['id', 5, 400],
    ['type', '', 400],
    ['type', 'x'.repeat(99) + EMOJI, 201],
    ['type', 'x'.repeat(100) + EMOJI, 400],
    ['title', '', 201],
    ['title', 'x'.repeat(99) + EMOJI, 201],
    ['title', 'x'.repeat(100) + EMOJI, 400],
    ['x', -1, 400],
    ['x', 8, 201],
    ['x', 9, 400],
    ['x', 0.5, 400],
    ['y', -1, 400],
    ['y', 10_000, 201],
    ['y', 10_001, 400],
    ['w', 0, 400],
    ['w', 1, 201],
    ['w', 12, 201],
    ['w', 13, 400],
    ['h', 0, 400],
    ['h', 1, 201],
    ['h', 100, 201],
    ['h', 101, 400],
  ])('takes a widget whose %s is %j as it should, of any type', async (field, value, status) => {
    for (const type of ['TEXT', 'HOLOGRAM']) {
      const answer = await calls.create(showing(widget({ type, [field]: value })));
      expect(answer.status).toBe(status);
      if (status === 400) {
        const named = field === 'x' && value === 9 ? 'w' : field;
        expect(answer.body.errors[0].path).toBe(`configuration.widgets[0].${named}`);
      }
    }
  });

  it.each(['id', 'type', 'x', 'y', 'w', 'h'])('needs the %s of each widget', async (field) => {
    expect(errorsOf(await calls.create(showing(widget({ [field]: undefined }))))).toEqual([
      `configuration.widgets[0].${field} is required`,
    ]);
  });

  const id = (index: number) => `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`;
  const many = (count: number) => Array.from({ length: count }, (_, index) => id(index));

  it.each([
    [{ type: 'VALUE', variableId: UNKNOWN, decimals: 0 }, null],
    [{ type: 'VALUE' }, null],
    [{ type: 'VALUE', variableId: 'x' }, 'variableId must be a UUID'],
    [{ type: 'VALUE', variableId: null }, 'variableId must be a string'],
    [{ type: 'VALUE', decimals: 10 }, null],
    [{ type: 'VALUE', decimals: 11 }, 'decimals must be at most 10'],
    [{ type: 'VALUE', decimals: -1 }, 'decimals must be at least 0'],
    [{ type: 'GAUGE', variableId: UNKNOWN, min: -1.5, max: 0, decimals: 2 }, null],
    [{ type: 'GAUGE', min: '0' }, 'min must be a number'],
    [{ type: 'GAUGE', min: 1, max: 1 }, 'max must be more than min'],
    [{ type: 'CHART', variableIds: many(20), rangeSeconds: 60, min: 0, max: 1 }, null],
    [{ type: 'CHART', variableIds: many(21) }, 'variableIds must have at most 20 values'],
    [
      { type: 'CHART', variableIds: [UNKNOWN, UNKNOWN] },
      'variableIds must not repeat a value (positions 1 and 0)',
    ],
    [{ type: 'CHART', variableIds: [UNKNOWN, 'x'] }, 'variableIds[1] must be a UUID'],
    [{ type: 'CHART', rangeSeconds: 59 }, 'rangeSeconds must be at least 60'],
    [{ type: 'CHART', rangeSeconds: 31_622_400 }, null],
    [{ type: 'CHART', rangeSeconds: 31_622_401 }, 'rangeSeconds must be at most 31622400'],
    [{ type: 'STATE_TIMELINE', variableIds: [UNKNOWN], rangeSeconds: 3600 }, null],
    [{ type: 'STATE_TIMELINE', variableIds: many(21) }, 'variableIds must have at most 20 values'],
    [{ type: 'ALARM_LIST', variableIds: many(200), assetIds: many(200) }, null],
    [{ type: 'ALARM_LIST', severities: ['LOW', 'HIGH'] }, null],
    [
      { type: 'ALARM_LIST', severities: ['DIRE'] },
      'severities[0] must be one of INFO, LOW, MEDIUM, HIGH, CRITICAL',
    ],
    [{ type: 'ALARM_LIST', assetIds: many(201) }, 'assetIds must have at most 200 values'],
    [{ type: 'ASSET_TABLE', assetIds: [UNKNOWN], classificationTypes: ['X'] }, null],
    [{ type: 'ASSET_TABLE', assetIds: UNKNOWN }, 'assetIds must be an array'],
    [
      { type: 'ASSET_TABLE', classificationTypes: [''] },
      'classificationTypes[0] must be in upper snake case',
    ],
    [{ type: 'MAP', assetIds: [], latitude: -90, longitude: 180, zoom: 22 }, null],
    [{ type: 'MAP', latitude: 90.1 }, 'latitude must be at most 90'],
    [{ type: 'MAP', longitude: -180.1 }, 'longitude must be at least -180'],
    [{ type: 'MAP', zoom: 23 }, 'zoom must be at most 22'],
    [{ type: 'TEXT', text: 'x'.repeat(9_999) + EMOJI }, null],
    [{ type: 'TEXT', text: 'x'.repeat(10_000) + EMOJI }, 'text must have at most 10000 characters'],
  ])('takes the widget %# as its type says', async (fields, message) => {
    const answer = await calls.create(showing(widget(fields)));
    const expected = message === null ? [] : [`configuration.widgets[0].${message}`];
    expect([answer.status, errorsOf(answer)]).toEqual([message === null ? 201 : 400, expected]);
  });

  it.each([
    [199, 201],
    [200, 201],
    [201, 400],
  ])('holds %i widgets or not', async (count, status) => {
    const widgets = Array.from({ length: count }, (_, index) => widget({ id: `w${index}` }));
    expect((await calls.create(showing(...widgets))).status).toBe(status);
  });

  it.each([
    [MAX_BYTES - 1, 201],
    [MAX_BYTES, 201],
    [MAX_BYTES + 1, 400],
  ])('of %i bytes is taken or not', async (bytes, status) => {
    const room = bytes - Buffer.byteLength(JSON.stringify({ ...EMPTY, own: EMOJI }));
    const configuration = { ...EMPTY, own: 'x'.repeat(room) + EMOJI };
    const answer = await calls.create({ configuration });
    expect(answer.status).toBe(status);
    if (status === 201) expect((await calls.retrieve(answer.body.id)).body).toEqual(answer.body);
    else expect(errorsOf(answer)).toEqual(['configuration must be at most 256 KiB as JSON']);
  });

  it('is refused when it holds a number that would be lost, or nests without end', async () => {
    const body = (own: string) =>
      `{"name":"x","configuration":{"version":1,"widgets":[],"own":${own}}}`;
    const send = (own: string) =>
      server.call(operations.createDashboard, { auth: server.administrator, body: body(own) });
    expect((await send('1e308')).status).toBe(201);
    expect(errorsOf(await send('1e309'))).toEqual([
      'configuration.own must be a number within the range of doubles',
    ]);
    expect((await send(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).status).toBe(400);
  });
});
