import type { Operations, Organization } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import { isoDateTime, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { requireHolds } from '../grants.ts';
import {
  findOrganization,
  lockOrganization,
  type OrganizationRow,
  updateOrganization,
} from './store.ts';

export interface Organizations {
  readonly retrieve: Handler<Operations['retrieveOrganization']>;
  readonly update: Handler<Operations['updateOrganization']>;
}

function recordOf(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    retentionDays: row.retentionDays,
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

export function createOrganizations(storage: Storage): Organizations {
  return {
    async retrieve({ params }) {
      const row = await findOrganization(storage, params.organizationId);
      if (!row) throw notFound('organization');
      return { body: recordOf(row), revision: row.revision };
    },
    async update({ params, body }, { tx, now, caller, precondition }) {
      const row = await lockOrganization(tx, params.organizationId);
      if (!row) throw notFound('organization');
      precondition.check(row.revision);
      const { name = row.name, retentionDays = row.retentionDays } = body;
      if (name === row.name && retentionDays === row.retentionDays) {
        return { body: recordOf(row), revision: row.revision, changes: [] };
      }
      // Keeping history for a shorter time deletes it.
      if (retentionDays !== row.retentionDays) requireHolds(caller, row.id, ['DeleteVariable']);
      const saved = await updateOrganization(tx, row.id, { name, retentionDays, now });
      const change = {
        organizationIds: [row.id],
        resource: 'Organization',
        resourceId: row.id,
        before: recordOf(row),
        after: recordOf(saved),
      };
      return { body: recordOf(saved), revision: saved.revision, changes: [change] };
    },
  };
}
