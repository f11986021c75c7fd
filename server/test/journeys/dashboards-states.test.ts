import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DashboardCalls, dashboardCalls } from '../support/dashboards.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

let server: TestOrganization;
let calls: DashboardCalls;

beforeAll(async () => {
  server = await joinServer();
  calls = dashboardCalls(server);
});

type State = 'active' | 'archived';

/** A published Dashboard in the given state. */
async function inState(state: State) {
  const { id } = await calls.made({ name: 'Moved', isPublic: true });
  const { body } = await calls.publish(id);
  if (state === 'archived') await calls.on(operations.archiveDashboard, id);
  return { id, historyId: body.id as string };
}

async function stateOf(id: string): Promise<State[]> {
  const holding = async (scope: string) => {
    const query = `archivedScope=${scope}&take=1000`;
    const { body } = await server.call(operations.listDashboards, { query });
    return body.items.some((item: { id: string }) => item.id === id);
  };
  expect(await holding('all')).toBe(true);
  const states: State[] = [];
  for (const state of ['active', 'archived'] as const) if (await holding(state)) states.push(state);
  return states;
}

describe.each<[State, keyof typeof operations, number, State]>([
  ['active', 'archiveDashboard', 204, 'archived'],
  ['archived', 'archiveDashboard', 204, 'archived'],
  ['active', 'restoreDashboard', 200, 'active'],
  ['archived', 'restoreDashboard', 200, 'active'],
  ['active', 'updateDashboard', 200, 'active'],
  ['archived', 'updateDashboard', 409, 'archived'],
  ['active', 'publishDashboard', 201, 'active'],
  ['archived', 'publishDashboard', 409, 'archived'],
  ['active', 'duplicateDashboard', 201, 'active'],
  ['archived', 'duplicateDashboard', 409, 'archived'],
  ['active', 'restoreDashboardHistory', 200, 'active'],
  ['archived', 'restoreDashboardHistory', 409, 'archived'],
  ['active', 'retrieveDashboard', 200, 'active'],
  ['archived', 'retrieveDashboard', 200, 'archived'],
  ['active', 'listDashboardHistories', 200, 'active'],
  ['archived', 'listDashboardHistories', 200, 'archived'],
  ['active', 'retrieveDashboardHistory', 200, 'active'],
  ['archived', 'retrieveDashboardHistory', 200, 'archived'],
])('an %s Dashboard', (from, name, status, to) => {
  it(`answers ${name} with ${status} and is ${to}`, async () => {
    const { id, historyId } = await inState(from);
    const body =
      name === 'publishDashboard'
        ? { comment: 'Again' }
        : name === 'updateDashboard'
          ? { name: 'Changed' }
          : undefined;
    const answer = await calls.on(operations[name], id, { params: { historyId }, body });
    expect(answer.status).toBe(status);
    if (status === 409) {
      expect(answer.body.code).toBe('CONFLICT');
      expect(answer.body.detail).toContain('archived');
    }
    expect(await stateOf(id)).toEqual([to]);
  });
});

describe('archiving and restoring', () => {
  it('a second time changes nothing, not even the tag', async () => {
    const { id } = await inState('active');
    for (const name of ['archiveDashboard', 'restoreDashboard'] as const) {
      await calls.on(operations[name], id);
      const before = await calls.retrieve(id);
      await sleep(5);
      await calls.on(operations[name], id);
      const after = await calls.retrieve(id);
      expect([after.text, after.headers.get('etag')]).toEqual([
        before.text,
        before.headers.get('etag'),
      ]);
    }
    const { body } = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(body.items.map(({ operation }: { operation: string }) => operation)).toEqual([
      'restoreDashboard',
      'archiveDashboard',
      'createDashboard',
    ]);
  });

  it.each(['archiveDashboard', 'restoreDashboard'] as const)(
    'honours If-Match in %s',
    async (name) => {
      const { id } = await inState(name === 'archiveDashboard' ? 'active' : 'archived');
      const stale = { headers: { 'if-match': '"0-stale"' } };
      const refused = await calls.on(operations[name], id, stale);
      expect([refused.status, refused.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
      const tag = (await calls.retrieve(id)).headers.get('etag') ?? '';
      const done = await calls.on(operations[name], id, { headers: { 'if-match': tag } });
      expect(done.status).toBe(operations[name].reply.status);
    },
  );

  it('against updates at once leaves a Dashboard that was one or the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await inState('active');
      const [archived, ...updated] = await Promise.all([
        calls.on(operations.archiveDashboard, id),
        ...Array.from({ length: 4 }, () => calls.update(id, { name: 'Raced' })),
      ]);
      expect(archived.status).toBe(204);
      for (const { status } of updated) expect([200, 409]).toContain(status);
      expect(await stateOf(id)).toEqual(['archived']);
    }
  });
});
