import type { Operations, User } from '@fieldwatch/contract';
import type { Caller, Change, Handler, PreparedHandler } from '../../http/index.ts';
import { Failure, isoDateTime, type NewId, notFound } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { grantedByRole, requireHolds, requireMayGrant } from '../grants.ts';
import type { Invalidate } from '../identity/index.ts';
import { lockOrganization } from '../organizations/index.ts';
import { requireGoodPassword } from '../passwords/index.ts';
import type { Secrets } from '../secrets/index.ts';
import { deleteSessions } from '../sessions/index.ts';
import { invite } from './invite.ts';
import * as store from './store.ts';

export interface UsersDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly invalidate: Invalidate;
}

export interface Users {
  readonly list: Handler<Operations['listUsers']>;
  readonly retrieve: Handler<Operations['retrieveUser']>;
  readonly create: PreparedHandler<Operations['createUser']>;
  readonly update: Handler<Operations['updateUser']>;
  readonly delete: Handler<Operations['deleteUser']>;
  readonly endSessions: Handler<Operations['endUserSessions']>;
}

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
    endSessions: endSessions(deps),
  };
}

function recordOf(row: store.MemberRow): User {
  // An organization that has only invited a user must not see when they sign in elsewhere.
  const lastSignInAt = row.membership === 'ACTIVE' ? row.lastSignInAt : null;
  return {
    id: row.userId,
    email: row.email,
    name: row.name,
    role: row.role,
    status: isActive(row) ? 'ACTIVE' : 'INVITED',
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
    lastSignInDateTime: lastSignInAt === null ? null : isoDateTime(lastSignInAt),
  };
}

function isActive({ membership, hasPassword, lastSignInAt }: store.MemberRow): boolean {
  return membership === 'ACTIVE' && (hasPassword || lastSignInAt !== null);
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
  readonly passwordHash: string | null;
  readonly now: number;
}

/** The user of this email: one who is known in the installation, or a new one. */
async function findOrMakeUser(
  { newId }: UsersDeps,
  tx: Transaction,
  { email, passwordHash, now }: NewMember,
): Promise<{ userId: string; isNew: boolean }> {
  const known = await store.holdUserByEmail(tx, email);
  if (known) return { userId: known, isNew: false };
  const userId = newId();
  const user = { id: userId, email, passwordHash, madeBy: 'ADMINISTRATOR', now } as const;
  if (await store.insertUser(tx, user)) return { userId, isNew: true };
  const justMade = await store.holdUserByEmail(tx, email);
  if (!justMade) throw changing();
  return { userId: justMade, isNew: false };
}

function changing(): Failure {
  return conflict('Another request is changing this user; try again.');
}

/** Null where none was given, and where a known user keeps their own. */
async function hashNewPassword(
  { storage, secrets }: UsersDeps,
  email: string,
  password: string | undefined,
): Promise<string | null> {
  if (password === undefined) return null;
  requireGoodPassword('password', password, email);
  return (await store.isEmailKnown(storage, email)) ? null : secrets.hashChosen(password);
}

function create(deps: UsersDeps): Users['create'] {
  const { newId, invalidate } = deps;
  return {
    async prepare({ params: { organizationId }, body }, { now, caller }) {
      const { email, role, name = null, password } = body;
      requireMayGrant(caller, organizationId, grantedByRole(role));
      const passwordHash = await hashNewPassword(deps, email, password);
      return async ({ tx }) => {
        const { userId, isNew } = await findOrMakeUser(deps, tx, { email, passwordHash, now });
        if (isNew && password !== undefined && passwordHash === null) throw changing();
        // Users with an account decide for themselves which organizations it belongs to.
        const status = isNew ? 'ACTIVE' : 'INVITED';
        const membership = { userId, role, name, status, now } as const;
        if (!(await store.insertMembership(tx, organizationId, membership))) {
          throw conflict('A user with this email is a member already.');
        }
        if (!isNew && password !== undefined) {
          throw conflict('A user with this email is known already: leave the password out.');
        }
        const isInvited = !isNew || password === undefined;
        const token = isInvited ? await invite(tx, organizationId, { newId, userId, now }) : null;
        const row = await store.getMember(tx, organizationId, userId);
        tx.afterCommit(() => invalidate.person({ id: userId }));
        const record = recordOf(row);
        return {
          body: token === null ? record : { ...record, invitationToken: token },
          revision: row.revision,
          location: `/primary/v1/${organizationId}/users/${userId}`,
          changes: [changeOf(organizationId, userId, { after: record })],
        };
      };
    },
  };
}

/** A caller who changes an administrator must hold the permissions of one. */
function requireRankOver(caller: Caller, organizationId: string, { role }: store.MemberRow): void {
  if (role === 'ADMINISTRATOR') requireHolds(caller, organizationId, grantedByRole(role));
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

function update({ invalidate }: UsersDeps): Users['update'] {
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
    requireRankOver(caller, organizationId, row);
    if (role !== row.role) {
      requireMayGrant(caller, organizationId, grantedByRole(role));
      await requireAnotherAdministrator(tx, organizationId, row);
    }
    await store.updateMembership(tx, organizationId, { userId, role, name, now });
    tx.afterCommit(() => invalidate.person({ id: userId }));
    const saved = await store.getMember(tx, organizationId, userId);
    const states = { before: recordOf(row), after: recordOf(saved) };
    return {
      body: states.after,
      revision: saved.revision,
      changes: [changeOf(organizationId, userId, states)],
    };
  };
}

function remove({ invalidate }: UsersDeps): Users['delete'] {
  return async ({ params: { organizationId, userId } }, { tx, caller, precondition }) => {
    await lockOrganization(tx, organizationId);
    const row = await store.lockMember(tx, organizationId, userId);
    if (!row) throw notFound('user');
    precondition.check(row.revision);
    requireRankOver(caller, organizationId, row);
    await requireAnotherAdministrator(tx, organizationId, row);
    await store.deleteMembership(tx, organizationId, userId);
    tx.afterCommit(() => invalidate.person({ id: userId }));
    return {
      body: undefined,
      changes: [changeOf(organizationId, userId, { before: recordOf(row) })],
    };
  };
}

function endSessions({ invalidate }: UsersDeps): Users['endSessions'] {
  return async ({ params: { organizationId, userId } }, { tx, caller }) => {
    const row = await store.lockMember(tx, organizationId, userId);
    if (!row) throw notFound('user');
    requireRankOver(caller, organizationId, row);
    if (row.membership !== 'ACTIVE') throw conflict('This user has not accepted yet.');
    const ended = await deleteSessions(tx, userId);
    tx.afterCommit(() => ended.forEach(invalidate.session));
    const before = { user: row.email };
    const changes = ended.map((id) => ({
      organizationIds: [organizationId],
      resource: 'Session',
      resourceId: id,
      before,
    }));
    return { body: undefined, changes };
  };
}
