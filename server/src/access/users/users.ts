import type { Operations, User } from '@fieldwatch/contract';
import type { Change, Handler } from '../../http/index.ts';
import { Failure, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { grantedByRole, requireHolds } from '../grants.ts';
import type { Forget } from '../identity/index.ts';
import { lockOrganization } from '../organizations/index.ts';
import { digestOf, generateSecret, type Secrets } from '../secrets/index.ts';
import * as store from './store.ts';

export interface UsersDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly forget: Forget;
}

export interface Users {
  readonly list: Handler<Operations['listUsers']>;
  readonly retrieve: Handler<Operations['retrieveUser']>;
  readonly create: Handler<Operations['createUser']>;
  readonly update: Handler<Operations['updateUser']>;
  readonly delete: Handler<Operations['deleteUser']>;
}

const INVITATION_LIVES_MS = 7 * 24 * 60 * 60 * 1000;

export function createUsers(deps: UsersDeps): Users {
  return {
    async list({ params, query }) {
      const { count, rows } = await store.listMembers(deps.storage, params.organizationId, {
        search: query.search ?? '',
        roles: query.roles ?? [],
        skip: query.skip,
        take: query.take,
      });
      return { body: { count, items: rows.map(recordOf) } };
    },
    async retrieve({ params }) {
      const row = await store.findMember(deps.storage, params.organizationId, params.userId);
      if (!row) throw notFound('user');
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps),
    delete: remove(deps),
  };
}

function recordOf(row: store.MemberRow): User {
  return {
    id: row.userId,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.hasPassword || row.lastSignInAt !== null ? 'ACTIVE' : 'INVITED',
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
    lastSignInDateTime: row.lastSignInAt === null ? null : isoDateTime(row.lastSignInAt),
  };
}

function changeOf(
  organizationId: string,
  userId: string,
  states: Pick<Change, 'before' | 'after'>,
): Change {
  return { organizationIds: [organizationId], resource: 'User', resourceId: userId, ...states };
}

function conflict(detail: string): Failure {
  return new Failure('CONFLICT', detail);
}

interface NewMember {
  readonly email: string;
  readonly password: string | undefined;
  readonly now: number;
}

/** The user of this email: one who is known in the installation, or a new one. */
async function findOrMakeUser(
  { newId, secrets }: UsersDeps,
  tx: Transaction,
  { email, password, now }: NewMember,
): Promise<{ userId: string; isNew: boolean }> {
  const known = await store.holdUserByEmail(tx, email);
  if (known) return { userId: known, isNew: false };
  const passwordHash = password === undefined ? null : await secrets.hashChosen(password);
  const userId = newId();
  if (await store.insertUser(tx, { id: userId, email, passwordHash, now })) {
    return { userId, isNew: true };
  }
  const justMade = await store.holdUserByEmail(tx, email);
  if (!justMade) throw conflict('Another request is changing this user; try again.');
  return { userId: justMade, isNew: false };
}

async function invite(
  tx: Transaction,
  organizationId: string,
  userId: string,
  now: number,
): Promise<string> {
  const token = generateSecret();
  const expiresAt = now + INVITATION_LIVES_MS;
  const invitation = { tokenHash: digestOf(token), userId, now, expiresAt };
  await store.insertInvitation(tx, organizationId, invitation);
  return token;
}

function create(deps: UsersDeps): Users['create'] {
  return async ({ params: { organizationId }, body }, { tx, now, caller }) => {
    const { email, role, name = null, password } = body;
    requireHolds(caller, organizationId, grantedByRole(role));
    const { userId, isNew } = await findOrMakeUser(deps, tx, { email, password, now });
    if (!(await store.insertMembership(tx, organizationId, { userId, role, name, now }))) {
      throw conflict('A user with this email is a member already.');
    }
    if (!isNew && password !== undefined) {
      throw conflict('A user with this email is known already: leave the password out.');
    }
    const isInvited = isNew && password === undefined;
    const token = isInvited ? await invite(tx, organizationId, userId, now) : null;
    const row = await store.getMember(tx, organizationId, userId);
    tx.afterCommit(() => deps.forget.person({ id: userId, email: row.email }));
    const record = recordOf(row);
    return {
      body: token === null ? record : { ...record, invitationToken: token },
      revision: row.revision,
      location: `/primary/v1/${organizationId}/users/${userId}`,
      changes: [changeOf(organizationId, userId, { after: record })],
    };
  };
}

async function requireAnotherAdministrator(
  tx: Transaction,
  organizationId: string,
  { userId }: store.MemberRow,
): Promise<void> {
  if (await store.isLastAdministrator(tx, organizationId, userId)) {
    throw conflict('An organization keeps at least one administrator, and this is the last.');
  }
}

function update({ forget }: UsersDeps): Users['update'] {
  return async ({ params, body }, { tx, now, caller, precondition }) => {
    const { organizationId, userId } = params;
    if (body.role !== undefined) await lockOrganization(tx, organizationId);
    const row = await store.lockMember(tx, organizationId, userId);
    if (!row) throw notFound('user');
    precondition.check(row.revision);
    const { role = row.role, name = row.name } = body;
    if (role === row.role && name === row.name) {
      return { body: recordOf(row), revision: row.revision, changes: [] };
    }
    if (role !== row.role) {
      requireHolds(caller, organizationId, grantedByRole(role));
      await requireAnotherAdministrator(tx, organizationId, row);
    }
    await store.updateMembership(tx, organizationId, { userId, role, name, now });
    tx.afterCommit(() => forget.person({ id: userId, email: row.email }));
    const saved = await store.getMember(tx, organizationId, userId);
    const states = { before: recordOf(row), after: recordOf(saved) };
    return {
      body: states.after,
      revision: saved.revision,
      changes: [changeOf(organizationId, userId, states)],
    };
  };
}

function remove({ forget }: UsersDeps): Users['delete'] {
  return async ({ params: { organizationId, userId } }, { tx, precondition }) => {
    await lockOrganization(tx, organizationId);
    const row = await store.lockMember(tx, organizationId, userId);
    if (!row) throw notFound('user');
    precondition.check(row.revision);
    await requireAnotherAdministrator(tx, organizationId, row);
    await store.deleteMembership(tx, organizationId, userId);
    tx.afterCommit(() => forget.person({ id: userId, email: row.email }));
    return {
      body: undefined,
      changes: [changeOf(organizationId, userId, { before: recordOf(row) })],
    };
  };
}
