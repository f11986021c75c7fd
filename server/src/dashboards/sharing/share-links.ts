import { type Operations, SHARE_SECRET_PREFIX } from '@fieldwatch/contract';
import { digestOf, generateSecret } from '../../access/index.ts';
import { changeOf, type Handler } from '../../http/index.ts';
import { Failure, invalid, type NewId, notFound, parseFutureMoment } from '../../runtime/index.ts';
import { requireReferences, type Storage, type Transaction } from '../../storage/index.ts';
import type { WholeDashboardRow } from '../dashboard.ts';
import { lock, requireActive } from '../locking.ts';
import * as dashboards from '../store.ts';
import { auditFields, shareLinkRecord } from './share-link.ts';
import * as store from './store.ts';

export interface ShareLinksDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

/** The share links of a Dashboard, as its editors see them. */
export interface ShareLinks {
  readonly list: Handler<Operations['listShareLinks']>;
  readonly create: Handler<Operations['createShareLink']>;
  readonly retrieve: Handler<Operations['retrieveShareLink']>;
  readonly revoke: Handler<Operations['revokeShareLink']>;
}

const MAX_SHARE_LINKS = 100;
/** A link is never edited. */
const ONLY_REVISION = 1;

export function createShareLinks({ storage, newId }: ShareLinksDeps): ShareLinks {
  return {
    async list({ params: { organizationId, dashboardId }, query }) {
      const isSeen = await dashboards.isSeen(storage, organizationId, 'draft', dashboardId);
      if (!isSeen) throw notFound('Dashboard');
      const { count, rows } = await store.listShareLinks(
        storage,
        organizationId,
        dashboardId,
        query,
      );
      return { body: { count, items: rows.map(shareLinkRecord) } };
    },
    create: create(newId),
    async retrieve({ params: { organizationId, dashboardId, shareLinkId } }) {
      const row = await store.findShareLink(storage, organizationId, dashboardId, shareLinkId);
      if (!row) throw notFound('share link');
      return { body: shareLinkRecord(row), revision: ONLY_REVISION };
    },
    async revoke({ params: { organizationId, dashboardId, shareLinkId } }, { tx, precondition }) {
      const row = await store.deleteShareLink(tx, organizationId, dashboardId, shareLinkId);
      if (!row) throw notFound('share link');
      precondition.check(ONLY_REVISION);
      const before = auditFields(dashboardId, row);
      return {
        body: undefined,
        changes: [changeOf(organizationId, 'ShareLink', { id: row.id, before })],
      };
    },
  };
}

function create(newId: NewId): ShareLinks['create'] {
  return async ({ params: { organizationId, dashboardId }, body }, { tx, now, caller }) => {
    const board = await lock(tx, organizationId, dashboardId);
    requireActive(board, 'shared');
    await requireShareable(tx, organizationId, board);
    const { locationId = null, assetId = null, expiresDateTime = null } = body;
    await requireTarget(tx, organizationId, board, { locationId, assetId });
    const secret = SHARE_SECRET_PREFIX + generateSecret();
    const row = await store.insertShareLink(tx, organizationId, dashboardId, {
      id: newId(),
      name: body.name,
      secretDigest: digestOf(secret),
      locationId,
      assetId,
      expiresAt:
        expiresDateTime === null
          ? null
          : parseFutureMoment('expiresDateTime', expiresDateTime, now),
      createdAt: now,
      createdBy: caller.name,
    });
    return {
      body: { ...shareLinkRecord(row), secret },
      revision: ONLY_REVISION,
      location: `/primary/v1/${organizationId}/dashboards/${dashboardId}/share-links/${row.id}`,
      changes: [
        changeOf(organizationId, 'ShareLink', { id: row.id, after: auditFields(dashboardId, row) }),
      ],
    };
  };
}

async function requireShareable(
  tx: Transaction,
  organizationId: string,
  { id }: WholeDashboardRow,
): Promise<void> {
  const { count } = await dashboards.listVersions(tx, organizationId, id, { skip: 0, take: 1 });
  if (count === 0) {
    throw new Failure('CONFLICT', 'A share link shows the published version; publish it first.');
  }
  const links = await store.countShareLinks(tx, organizationId, id, MAX_SHARE_LINKS);
  if (links < MAX_SHARE_LINKS) return;
  throw new Failure(
    'CONFLICT',
    `A Dashboard has at most ${MAX_SHARE_LINKS} share links; revoke one first.`,
  );
}

/** A template shows the site or the Asset of the link; any other board has none. */
async function requireTarget(
  tx: Transaction,
  organizationId: string,
  { configuration: { template } }: WholeDashboardRow,
  { locationId, assetId }: { readonly locationId: string | null; readonly assetId: string | null },
): Promise<void> {
  const given = { LOCATION: locationId, ASSET: assetId };
  const fields = { LOCATION: 'locationId', ASSET: 'assetId' } as const;
  for (const kind of ['LOCATION', 'ASSET'] as const) {
    if (kind === template?.kind && given[kind] === null) {
      throw invalid({ path: fields[kind], message: 'is required for the link of a template' });
    }
    if (kind !== template?.kind && given[kind] !== null) {
      throw invalid({ path: fields[kind], message: 'has no meaning for this Dashboard' });
    }
  }
  await requireReferences(tx, organizationId, [
    { path: 'locationId', table: 'locations', id: locationId },
    { path: 'assetId', table: 'assets', id: assetId },
  ]);
}
