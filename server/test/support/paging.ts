import { operations, type PageDetails } from '@fieldwatch/contract';
import { expect } from 'vitest';
import type { TestOrganization } from './server.ts';

type Fields = Record<string, unknown>;

/** What tests of pages do again and again, in the organization of one server. */
export interface PagingCalls {
  /** An alarm group whose events are paged by a new policy with these steps. */
  newPagedGroup(
    policy: Fields,
    group?: Fields,
  ): Promise<{ alarmGroupId: string; policyId: string }>;
  pagesOf(policyId: string): Promise<{ id: string; state: string; eventCount: number }[]>;
  page(pageId: string): Promise<PageDetails>;
  /** Waits until the newest page of a policy is as wanted. */
  seen(policyId: string, wanted: object): Promise<PageDetails>;
  userId(email: string): Promise<string>;
}

export function pagingCalls(server: () => TestOrganization): PagingCalls {
  const call: TestOrganization['call'] = (operation, given) => server().call(operation, given);
  const pagesOf = async (policyId: string) =>
    (await call(operations.listPages, { query: `policyId=${policyId}&take=1000` })).body.items;
  const page = async (pageId: string) =>
    (await call(operations.retrievePage, { params: { pageId } })).body;
  return {
    pagesOf,
    page,
    async newPagedGroup(policy, group = {}) {
      const made = await call(operations.createEscalationPolicy, {
        body: { name: 'Policy', ...policy },
      });
      expect(made.status, made.text).toBe(201);
      const body = { name: 'Paged', escalationPolicyId: made.body.id, ...group };
      const { body: created } = await call(operations.createAlarmGroup, { body });
      return { alarmGroupId: created.id, policyId: made.body.id };
    },
    async seen(policyId, wanted) {
      const newest = async () => (await pagesOf(policyId))[0];
      await expect.poll(newest, { timeout: 10_000, interval: 50 }).toMatchObject(wanted);
      return await page((await newest())?.id ?? '');
    },
    async userId(email) {
      const { body } = await call(operations.listUsers, { query: `search=${email}` });
      return body.items[0].id;
    },
  };
}
