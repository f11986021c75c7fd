import { KEY_PERMISSIONS, type KeyPermission } from '@fieldwatch/contract';
import { type Clock, type NewId, StartFailure } from '../runtime/index.ts';
import type { Queries, Storage, Transaction } from '../storage/index.ts';
import { insertApiKey, isIdTaken } from './api-keys/index.ts';
import type { Audit } from './audit/index.ts';
import { grantedByRole } from './grants.ts';
import {
  findOldestOrganization,
  findOrganization,
  insertOrganization,
  lockBootstrap,
} from './organizations/index.ts';
import { generateSecret, quickHash, type Secrets } from './secrets/index.ts';
import { holdUserByEmail, insertMembership, insertUser, invite } from './users/index.ts';

/** What the first start makes; null means that it is generated. */
export interface BootstrapSettings {
  readonly organizationId: string | null;
  readonly adminEmail: string;
  readonly adminPassword: string | null;
  readonly apiKeyId: string | null;
  readonly apiKeySecret: string | null;
}

export type BootstrapResult =
  | { readonly created: false; readonly organizationId: string }
  | {
      readonly created: true;
      readonly organizationId: string;
      readonly adminEmail: string;
      /** Null when the email had an account before: that keeps its password, and is invited. */
      readonly adminPassword: string | null;
      readonly adminInvitationToken: string | null;
      readonly apiKeyId: string;
      readonly apiKeySecret: string;
    };

export interface BootstrapDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly audit: Audit;
}

type Created = Extract<BootstrapResult, { created: true }>;

const ORGANIZATION_NAME = 'My organization';
const KEY_NAME = 'First key';

/** Secrets and their hashes, made before the transaction: a slow hash holds no connection. */
interface Chosen {
  readonly password: { readonly text: string; readonly hash: string };
  readonly keySecret: { readonly text: string; readonly hash: string };
}

/** Makes the first organization unless there is one. Of servers that start at once, one makes it. */
export async function bootstrap(
  deps: BootstrapDeps,
  settings: BootstrapSettings,
): Promise<BootstrapResult> {
  const known = await findExisting(deps.storage, settings);
  if (known) return { created: false, organizationId: known };
  const chosen = await choose(deps, settings);
  return deps.storage.transaction(async (tx) => {
    await lockBootstrap(tx);
    const existing = await findExisting(tx, settings);
    if (existing) return { created: false, organizationId: existing };
    return make(deps, tx, settings, chosen);
  });
}

async function findExisting(
  db: Queries,
  { organizationId }: BootstrapSettings,
): Promise<string | null> {
  const row =
    organizationId === null
      ? await findOldestOrganization(db)
      : await findOrganization(db, organizationId);
  return row?.id ?? null;
}

async function choose(
  { secrets }: BootstrapDeps,
  { adminPassword, apiKeySecret }: BootstrapSettings,
): Promise<Chosen> {
  const password = adminPassword ?? generateSecret();
  // Basic credentials lose white space at their end, so a secret cannot have any.
  const chosen = apiKeySecret?.trimEnd() ?? null;
  const secret = chosen ?? generateSecret();
  return {
    password: { text: password, hash: await secrets.hashChosen(password) },
    keySecret: {
      text: secret,
      hash: chosen === null ? quickHash(secret) : await secrets.hashChosen(secret),
    },
  };
}

async function make(
  deps: BootstrapDeps,
  tx: Transaction,
  settings: BootstrapSettings,
  chosen: Chosen,
): Promise<Created> {
  const now = deps.clock.now();
  const organizationId = settings.organizationId ?? deps.newId();
  await insertOrganization(tx, { id: organizationId, name: ORGANIZATION_NAME, now });
  const admin = await makeAdministrator(deps, tx, organizationId, settings, chosen);
  const key = await makeKey(deps, tx, organizationId, settings, chosen);
  const organizationIds = [organizationId];
  await deps.audit.recordOwnChanges(tx, { operation: 'bootstrap', now }, [
    {
      organizationIds,
      resource: 'Organization',
      resourceId: organizationId,
      after: { name: ORGANIZATION_NAME },
    },
    {
      organizationIds,
      resource: 'User',
      resourceId: admin.userId,
      after: { email: settings.adminEmail, role: 'ADMINISTRATOR' },
    },
    {
      organizationIds,
      resource: 'ApiKey',
      resourceId: key.id,
      after: { name: KEY_NAME, permissions: keyPermissions(settings) },
    },
  ]);
  return {
    created: true,
    organizationId,
    adminEmail: settings.adminEmail,
    adminPassword: admin.password,
    adminInvitationToken: admin.invitationToken,
    apiKeyId: key.id,
    apiKeySecret: key.secret,
  };
}

interface Administrator {
  readonly userId: string;
  readonly password: string | null;
  readonly invitationToken: string | null;
}

/** Another organization may know the password of an account that was there before. */
async function makeAdministrator(
  { newId, clock }: BootstrapDeps,
  tx: Transaction,
  organizationId: string,
  { adminEmail: email, adminPassword }: BootstrapSettings,
  { password }: Chosen,
): Promise<Administrator> {
  const now = clock.now();
  const membership = { role: 'ADMINISTRATOR', name: null, now } as const;
  const known = await holdUserByEmail(tx, email);
  if (known) {
    if (adminPassword !== null) throw knownAdministrator(email);
    await insertMembership(tx, organizationId, { ...membership, userId: known, status: 'INVITED' });
    const invitationToken = await invite(tx, organizationId, { newId, userId: known, now });
    return { userId: known, password: null, invitationToken };
  }
  const userId = newId();
  await insertUser(tx, { id: userId, email, passwordHash: password.hash, madeBy: 'OPERATOR', now });
  await insertMembership(tx, organizationId, { ...membership, userId, status: 'ACTIVE' });
  return { userId, password: password.text, invitationToken: null };
}

function knownAdministrator(email: string): StartFailure {
  return new StartFailure(
    `FIELDWATCH_ADMIN_PASSWORD: ${email} has an account already, whose password is not changed by a start. Unset it, and the start prints an invitation for that account; or choose another FIELDWATCH_ADMIN_EMAIL.`,
  );
}

/**
 * A key that the operator asked for may do everything that a key can. One that is made unasked can
 * build and read, as an Editor can, and neither make keys or users nor read the audit log.
 */
function keyPermissions({ apiKeyId, apiKeySecret }: BootstrapSettings): readonly KeyPermission[] {
  const isConfigured = apiKeyId !== null || apiKeySecret !== null;
  return isConfigured ? KEY_PERMISSIONS : grantedByRole('EDITOR');
}

async function makeKey(
  { newId, clock }: BootstrapDeps,
  tx: Transaction,
  organizationId: string,
  settings: BootstrapSettings,
  { keySecret }: Chosen,
): Promise<{ id: string; secret: string }> {
  const id = settings.apiKeyId ?? newId();
  try {
    await insertApiKey(tx, organizationId, {
      id,
      name: KEY_NAME,
      permissions: keyPermissions(settings),
      expiresAt: null,
      secretHash: keySecret.hash,
      createdBy: { kind: 'SYSTEM', id: null, name: 'Fieldwatch' },
      now: clock.now(),
    });
  } catch (error) {
    if (!isIdTaken(error)) throw error;
    throw new StartFailure(
      `FIELDWATCH_API_KEY_ID: the key id ${id} belongs to another organization; choose another one.`,
    );
  }
  return { id, secret: keySecret.text };
}
