import { DEVICE_TYPES, RF_REGIONS } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createDevice,
  errorsOf,
  type Fields,
  gateway,
  nextEui,
  retrieveDevice,
  sensor,
} from '../support/device-calls.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

let server: TestOrganization;
let neighbour: TestOrganization;

beforeAll(async () => {
  server = await joinServer();
  neighbour = await joinServer();
});

const create = (body: Fields = {}, at = server) => createDevice(at, body);
const made = async (body: Fields = {}, at = server) => (await create(body, at)).body;
const retrieve = (id: string, auth = server.key) => retrieveDevice(server, id, auth);

describe('creating a Device', () => {
  it('answers with the whole record, its place and its credentials', async () => {
    const { status, body, headers } = await create({ name: 'Generator 1' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Generator 1',
      description: '',
      type: 'CUSTOM_DEVICE',
      isActive: true,
      isOnline: false,
      locationId: null,
      parentDeviceId: null,
      lastSeenDateTime: null,
      onlineVariableId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      credentials: {
        username: body.id,
        topic: `fieldwatch/${server.organizationId}/${body.id}`,
      },
    });
    expect(body.createdDateTime).toBe(body.updatedDateTime);
    expect(body).not.toHaveProperty('configuration');
    expect(headers.get('location')).toBe(`/primary/v1/${server.organizationId}/devices/${body.id}`);
    const { credentials, ...record } = body;
    expect(credentials.password.length).toBeGreaterThan(30);
    expect((await retrieve(body.id)).body).toEqual(record);
  });

  it.each([
    [4, 400],
    [5, 201],
    [100, 201],
    [101, 400],
  ])(
    'takes a name of %i characters as it should, counted in code points',
    async (length, status) => {
      expect((await create({ name: 'x'.repeat(length) })).status).toBe(status);
      expect((await create({ name: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
    },
  );

  it.each([
    [499, 201],
    [500, 201],
    [501, 400],
  ])('takes a description of %i characters as it should', async (length, status) => {
    expect((await create({ description: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each([
    [{ name: '     ' }, 'name must not be only white space'],
    [{ name: null }, 'name must be a string'],
    [{ name: 12345 }, 'name must be a string'],
    [{ description: null }, 'description must be a string'],
    [{ type: 'TOASTER' }, `type must be one of ${DEVICE_TYPES.join(', ')}`],
    [{ type: undefined }, 'type is required'],
    [{ name: undefined }, 'name is required'],
    [{ isActive: false }, 'isActive is not a field of this request'],
    [{ configuration: {} }, 'configuration is only for LoRaWAN types'],
    [{ locationId: 'x' }, 'locationId must be a UUID'],
    [
      { locationId: UNKNOWN },
      `locationId names nothing that exists in this organization: ${UNKNOWN}`,
    ],
    [
      { parentDeviceId: UNKNOWN },
      `parentDeviceId names nothing that exists in this organization: ${UNKNOWN}`,
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it.each(RF_REGIONS)('knows the region %s and what it asks of subBand', async (rfRegion) => {
    const without = await create(gateway({ rfRegion }));
    const withOne = await create(gateway({ rfRegion, subBand: 8 }));
    const expected =
      rfRegion === 'US915' ? [400, 201] : rfRegion === 'AU915' ? [201, 201] : [201, 400];
    expect([without.status, withOne.status]).toEqual(expected);
    if (rfRegion === 'US915') {
      expect(errorsOf(without)).toEqual([
        'configuration.subBand is required when rfRegion is US915',
      ]);
    }
  });

  it.each([
    [0, 400],
    [1, 201],
    [8, 201],
    [9, 400],
    [1.5, 400],
    ['1', 400],
  ])('takes the subBand %j as it should', async (subBand, status) => {
    expect((await create(gateway({ rfRegion: 'US915', subBand }))).status).toBe(status);
  });

  it.each([
    ['gatewayEui', 15, 400],
    ['gatewayEui', 16, 201],
    ['gatewayEui', 17, 400],
  ])('takes a %s of %i digits as it should', async (field, digits, status) => {
    const value = nextEui().padStart(digits, 'f').slice(-digits);
    expect((await create(gateway({ [field]: value }))).status).toBe(status);
  });

  it.each([
    ['devEui', 15, 400],
    ['devEui', 16, 201],
    ['devEui', 17, 400],
    ['appEui', 15, 400],
    ['appEui', 16, 201],
    ['appEui', 17, 400],
    ['appKey', 31, 400],
    ['appKey', 32, 201],
    ['appKey', 33, 400],
  ])('takes a %s of %i digits as it should', async (field, digits, status) => {
    const value = nextEui().padStart(digits, 'e').slice(-digits);
    expect((await create(sensor({ [field]: value }))).status).toBe(status);
  });

  it('refuses what is not hexadecimal by the name of the field', async () => {
    expect(errorsOf(await create(sensor({ devEui: 'g'.repeat(16) })))).toEqual([
      'configuration.devEui must be 16 hexadecimal characters',
    ]);
  });

  it.each(['LORAWAN_DEVICE', 'LORAWAN_GATEWAY_CLOUD', 'LORAWAN_GATEWAY_EDGE'])(
    'needs a configuration for %s',
    async (type) => {
      expect(errorsOf(await create({ type }))).toEqual(['configuration is required']);
    },
  );

  it('answers hexadecimal in upper case, and 409 when it is in use', async () => {
    const body = gateway({ gatewayEui: 'abcdef0123456789' });
    expect((await made(body)).configuration.gatewayEui).toBe('ABCDEF0123456789');
    const again = await create(gateway({ gatewayEui: 'ABCDEF0123456789' }));
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT']);
    expect(again.body.detail).toContain('gatewayEui');
    const key = sensor();
    await made(key);
    expect((await create(key)).status).toBe(409);
    expect((await create(body, neighbour)).status).toBe(201);
  });

  it('lets one of twenty with the same EUI through', async () => {
    const body = gateway();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await create(body)).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});
