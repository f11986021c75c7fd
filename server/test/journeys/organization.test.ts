import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorsOf } from '../support/device-calls.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

let both: JoinedNeighbours;
let server: TestOrganization;

beforeAll(async () => {
  both = await joinNeighbours();
  server = both.server;
});

const retrieve = () => server.call(operations.retrieveOrganization, {});
const update = (body: unknown, headers: Record<string, string> = {}) =>
  server.call(operations.updateOrganization, { body, headers });

describe('how long an organization keeps history', () => {
  it('is for ever at first, and what was last said after that', async () => {
    expect((await retrieve()).body.retentionDays).toBeNull();
    const { name } = (await retrieve()).body;
    for (const retentionDays of [1, 36_500, null, 30]) {
      expect((await update({ retentionDays })).body).toMatchObject({ name, retentionDays });
      expect((await retrieve()).body.retentionDays).toBe(retentionDays);
    }
    expect((await update({ name: 'Plant 1' })).body.retentionDays).toBe(30);
  });

  it.each([
    [0, 'must be at least 1'],
    [36_501, 'must be at most 36500'],
    [1.5, 'must be a whole number'],
    ['30', 'must be a whole number or null'],
  ])('is not %j', async (retentionDays, message) => {
    const [error] = errorsOf(await update({ retentionDays }));
    expect(error).toContain('retentionDays must be');
    expect(error).toContain(message.replace(' or null', ''));
  });

  it('is in the audit log, and a stale change is refused', async () => {
    const etag = (await retrieve()).headers.get('etag') ?? '';
    expect((await update({ retentionDays: 90 }, { 'if-match': etag })).status).toBe(200);
    expect((await update({ retentionDays: 91 }, { 'if-match': etag })).status).toBe(412);
    const { body } = await server.call(operations.listAuditLog, { query: 'take=1' });
    expect(JSON.stringify(body.items[0])).toContain('retentionDays');
    const before = body.count;
    expect((await update({ retentionDays: 90 })).status).toBe(200);
    expect((await server.call(operations.listAuditLog, {})).body.count).toBe(before);
  });

  it('is not a matter of its neighbour', async () => {
    const { status } = await server.call(operations.updateOrganization, {
      params: { organizationId: both.neighbour.organizationId },
      body: { retentionDays: 1 },
    });
    expect(status).toBe(403);
  });
});
