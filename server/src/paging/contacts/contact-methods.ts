import {
  type ContactKind,
  type ContactMethod,
  MAX_CONTACT_METHODS,
  type Operations,
} from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, invalid, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { addressOf } from './address.ts';
import * as store from './store.ts';

export interface ContactMethodsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

/** How a user can be contacted; each has their own. */
export interface ContactMethods {
  readonly list: Handler<Operations['listContactMethods']>;
  readonly create: Handler<Operations['createContactMethod']>;
  readonly update: Handler<Operations['updateContactMethod']>;
  readonly delete: Handler<Operations['deleteContactMethod']>;
}

export function createContactMethods({ storage, newId }: ContactMethodsDeps): ContactMethods {
  return {
    async list({ params: { organizationId }, query }, { caller }) {
      const member = { organizationId, userId: caller.id };
      const found = await store.listMethods(storage, member, query);
      return { body: { count: found.count, items: found.rows.map(methodRecord) } };
    },
    create: create(newId),
    update,
    async delete({ params: { organizationId, contactMethodId: id } }, { tx, caller, ...context }) {
      const { row } = await lockOne(tx, { organizationId, userId: caller.id }, id);
      context.precondition.check(row.revision);
      await store.deleteMethod(tx, organizationId, id);
      return { body: undefined, changes: [changed(organizationId, row, undefined)] };
    },
  };
}

function create(newId: NewId): ContactMethods['create'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const member = { organizationId, userId: caller.id };
    const others = await store.lockMethods(tx, member);
    if (others.length >= MAX_CONTACT_METHODS) {
      const detail = `A user has at most ${MAX_CONTACT_METHODS} contact methods: delete one first.`;
      throw new Failure('CONFLICT', detail);
    }
    if (body.kind === 'CHAT' && !caller.permissionsIn(organizationId)?.has('ManageWebhooks')) {
      const message = 'may be a chat only for users who may manage webhooks: ask an administrator';
      throw invalid({ path: 'kind', message });
    }
    const destination = await addressOf(tx, member, body);
    const { address, pushId, webhookId } = destination;
    const given = address ?? pushId ?? webhookId;
    if (others.some((each) => each.kind === body.kind && each.address === given)) {
      throw new Failure('CONFLICT', 'The user has this contact method already.');
    }
    const position = (others.at(-1)?.position ?? -1) + 1;
    const method = { id: newId(), kind: body.kind, ...destination, position };
    const verifiedAt = isKnown(body.kind) ? now : null;
    const row = await store.insertMethod(tx, member, { ...method, verifiedAt }, now);
    return {
      body: methodRecord(row),
      revision: row.revision,
      location: `/primary/v1/${organizationId}/me/contact-methods/${row.id}`,
      changes: [changed(organizationId, undefined, row)],
    };
  };
}

/** The user is signed in at the browser, and may manage the webhook of the chat. */
function isKnown(kind: ContactKind): boolean {
  return kind === 'WEB_PUSH' || kind === 'CHAT';
}

const update: ContactMethods['update'] = async ({ params, body }, context) => {
  const { organizationId, contactMethodId } = params;
  const { tx, now, caller, precondition } = context;
  const member = { organizationId, userId: caller.id };
  const { row, all } = await lockOne(tx, member, contactMethodId);
  precondition.check(row.revision);
  const ids = all.map(({ id }) => id).filter((id) => id !== row.id);
  ids.splice(body.position ?? all.indexOf(row), 0, row.id);
  await store.orderMethods(tx, organizationId, ids, now);
  const { row: saved } = await lockOne(tx, member, contactMethodId);
  return {
    body: methodRecord(saved),
    revision: saved.revision,
    changes: [changed(organizationId, row, saved)],
  };
};

/** One contact method of the user, and all of them. */
export async function lockOne(
  tx: Transaction,
  member: store.MemberName,
  id: string,
): Promise<{ row: store.MethodRow; all: readonly store.MethodRow[] }> {
  const all = await store.lockMethods(tx, member);
  const row = all.find((each) => each.id === id);
  if (!row) throw notFound('contact method');
  return { row, all };
}

export function methodRecord(row: store.MethodRow): ContactMethod {
  const { id, kind, address, position, verifiedAt, codeExpiresAt } = row;
  return {
    ...{ id, kind, address, position, isVerified: verifiedAt !== null },
    verifiedDateTime: verifiedAt === null ? null : isoDateTime(verifiedAt),
    codeExpiresDateTime: codeExpiresAt === null ? null : isoDateTime(codeExpiresAt),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

/** A phone number is nobody's business but its owner's: the audit log has its last digits. */
export function changed(
  organizationId: string,
  before: store.MethodRow | undefined,
  after: store.MethodRow | undefined,
): Change {
  const fieldsOf = (row: store.MethodRow | undefined) => {
    if (!row) return undefined;
    const { id, kind, position, isVerified, address } = methodRecord(row);
    return { id, kind, position, isVerified, address: `…${address.slice(-4)}` };
  };
  return changeOf(organizationId, 'ContactMethod', {
    id: (after ?? before)?.id ?? '',
    before: fieldsOf(before),
    after: fieldsOf(after),
  });
}
