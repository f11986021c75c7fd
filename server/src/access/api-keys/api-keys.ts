import type { ApiKey, Body, Operations } from '@fieldwatch/contract';
import type { Caller, Change, Handler } from '../../http/index.ts';
import {
  isoDateTime,
  type NewId,
  notFound,
  parseFutureMoment,
  parseMoment,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { requireMayGrant, requireOutlives } from '../grants.ts';
import type { Invalidate } from '../identity/index.ts';
import { generateSecret, quickHash } from '../secrets/index.ts';
import { grantedByEdit, grantsAnything, isSameTerms, type KeyTerms } from './edit.ts';
import * as store from './store.ts';

export interface ApiKeysDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly invalidate: Invalidate;
}

export interface ApiKeys {
  readonly list: Handler<Operations['listApiKeys']>;
  readonly retrieve: Handler<Operations['retrieveApiKey']>;
  readonly create: Handler<Operations['createApiKey']>;
  readonly update: Handler<Operations['updateApiKey']>;
  readonly delete: Handler<Operations['deleteApiKey']>;
}

export function createApiKeys(deps: ApiKeysDeps): ApiKeys {
  return {
    async list({ params, query }) {
      const { count, rows } = await store.listApiKeys(deps.storage, params.organizationId, {
        search: query.search ?? '',
        descendantsOf: query.descendantsOf ?? null,
        skip: query.skip,
        take: query.take,
      });
      return { body: { count, items: rows.map(recordOf) } };
    },
    async retrieve({ params }) {
      const row = await store.findApiKey(deps.storage, params.organizationId, params.apiKeyId);
      if (!row) throw notFound('API key');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    delete: remove(deps),
  };
}

function recordOf(row: store.ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    permissions: [...row.permissions],
    expiresDateTime: dateTimeOrNull(row.expiresAt),
    createdDateTime: isoDateTime(row.createdAt),
    lastUsedDateTime: dateTimeOrNull(row.lastUsedAt),
    createdBy: makerOf(row),
  };
}

function makerOf(row: store.ApiKeyRow): ApiKey['createdBy'] {
  const { createdByKind: kind, createdById: id, createdByName: name } = row;
  return kind === null || name === null ? null : { kind, id, name };
}

function dateTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoDateTime(epochMs);
}

/** The last use of a key is no edit, so the audit log does not record it. */
function auditFields({ lastUsedDateTime: _, ...fields }: ApiKey): Change['before'] {
  return fields;
}

function changeOf(
  organizationId: string,
  { before, after }: { before?: ApiKey; after?: ApiKey },
): Change {
  return {
    organizationIds: [organizationId],
    resource: 'ApiKey',
    resourceId: (after ?? before)?.id ?? '',
    before: before && auditFields(before),
    after: after && auditFields(after),
  };
}

function create({ newId }: ApiKeysDeps): ApiKeys['create'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    requireMayGrant(caller, organizationId, body.permissions);
    const expires = body.expiresDateTime ?? null;
    const expiresAt = expires === null ? null : parseFutureMoment('expiresDateTime', expires, now);
    requireOutlives(caller, expiresAt);
    const secret = generateSecret();
    const row = await store.insertApiKey(tx, organizationId, {
      id: newId(),
      name: body.name,
      permissions: body.permissions,
      expiresAt,
      secretHash: quickHash(secret),
      createdBy: makerIn(caller),
      now,
    });
    const record = recordOf(row);
    return {
      body: { ...record, secret },
      revision: row.revision,
      location: `/primary/v1/${organizationId}/api-keys/${row.id}`,
      changes: [changeOf(organizationId, { after: record })],
    };
  };
}

function edited(terms: KeyTerms, body: Body<Operations['updateApiKey']>): KeyTerms {
  const { name = terms.name, permissions = terms.permissions, expiresDateTime } = body;
  if (expiresDateTime === undefined) return { name, permissions, expiresAt: terms.expiresAt };
  const expiresAt =
    expiresDateTime === null ? null : parseMoment('expiresDateTime', expiresDateTime);
  return { name, permissions, expiresAt };
}

function update({ invalidate }: ApiKeysDeps): ApiKeys['update'] {
  return async ({ params, body }, { tx, now, caller, precondition }) => {
    const { organizationId, apiKeyId } = params;
    const row = await store.lockApiKey(tx, organizationId, apiKeyId);
    if (!row) throw notFound('API key');
    precondition.check(row.revision);
    const terms = edited(row, body);
    if (isSameTerms(row, terms)) {
      return { body: recordOf(row), revision: row.revision, changes: [] };
    }
    requireMayGrant(caller, organizationId, grantedByEdit(row, terms));
    if (grantsAnything(row, terms)) requireOutlives(caller, terms.expiresAt);
    const saved = await store.updateApiKey(tx, organizationId, apiKeyId, { ...terms, now });
    tx.afterCommit(() => invalidate.apiKey(apiKeyId));
    return {
      body: recordOf(saved),
      revision: saved.revision,
      changes: [changeOf(organizationId, { before: recordOf(row), after: recordOf(saved) })],
    };
  };
}

function makerIn({ kind, id, name }: Caller): store.KeyMaker {
  if (kind === 'DEVICE' || kind === 'SHARE') {
    throw new Error('only users and API keys create API keys');
  }
  return { kind, id, name };
}

function remove({ invalidate }: ApiKeysDeps): ApiKeys['delete'] {
  return async ({ params: { organizationId, apiKeyId }, query }, { tx, precondition }) => {
    const row = await store.lockApiKey(tx, organizationId, apiKeyId);
    if (!row) throw notFound('API key');
    precondition.check(row.revision);
    const descendants =
      query.descendants === 'revoke'
        ? await store.lockDescendants(tx, organizationId, apiKeyId)
        : [];
    const revoked = [row, ...descendants];
    for (const { id } of revoked) await store.deleteApiKey(tx, organizationId, id);
    tx.afterCommit(() => {
      for (const { id } of revoked) invalidate.apiKey(id);
    });
    const changes = revoked.map((key) => changeOf(organizationId, { before: recordOf(key) }));
    return { body: undefined, changes };
  };
}
