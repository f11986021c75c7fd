import { KEY_PERMISSIONS } from '@fieldwatch/contract';
import { type Clock, type NewId, StartFailure } from '../runtime/index.ts';
import type { Storage, Transaction } from '../storage/index.ts';
import { insertApiKey } from './api-keys/index.ts';
import type { Audit } from './audit/index.ts';
import {
  findOldestOrganization,
  findOrganization,
  insertOrganization,
  lockBootstrap,
} from './organizations/index.ts';
import { generateSecret, quickHash, type Secrets } from './secrets/index.ts';
import { holdUserByEmail, insertMembership, insertUser } from './users/index.ts';

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
      /** Null when the administrator was known before and keeps their password. */
      readonly adminPassword: string | null;
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

/** Makes the first organization unless there is one. Of servers that start at once, one makes it. */
export function bootstrap(
  deps: BootstrapDeps,
  settings: BootstrapSettings,
): Promise<BootstrapResult> {
  return deps.storage.transaction(async (tx) => {
    await lockBootstrap(tx);
    const existing =
      settings.organizationId === null
        ? await findOldestOrganization(tx)
        : await findOrganization(tx, settings.organizationId);
    if (existing) return { created: false, organizationId: existing.id };
    return make(deps, tx, settings);
  });
}

async function make(
  deps: BootstrapDeps,
  tx: Transaction,
  settings: BootstrapSettings,
): Promise<Created> {
  const now = deps.clock.now();
  const organizationId = settings.organizationId ?? deps.newId();
  await insertOrganization(tx, { id: organizationId, name: ORGANIZATION_NAME, now });
  const admin = await makeAdministrator(deps, tx, organizationId, settings, now);
  const key = await makeKey(deps, tx, organizationId, settings, now);
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
      after: { name: KEY_NAME, permissions: KEY_PERMISSIONS },
    },
  ]);
  return {
    created: true,
    organizationId,
    adminEmail: settings.adminEmail,
    adminPassword: admin.password,
    apiKeyId: key.id,
    apiKeySecret: key.secret,
  };
}

async function makeAdministrator(
  { newId, secrets }: BootstrapDeps,
  tx: Transaction,
  organizationId: string,
  { adminEmail, adminPassword }: BootstrapSettings,
  now: number,
): Promise<{ userId: string; password: string | null }> {
  const membership = { role: 'ADMINISTRATOR', name: null, now } as const;
  const known = await holdUserByEmail(tx, adminEmail);
  if (known) {
    await insertMembership(tx, organizationId, { ...membership, userId: known });
    return { userId: known, password: null };
  }
  const password = adminPassword ?? generateSecret();
  const passwordHash = await secrets.hashChosen(password);
  const userId = newId();
  await insertUser(tx, { id: userId, email: adminEmail, passwordHash, now });
  await insertMembership(tx, organizationId, { ...membership, userId });
  return { userId, password };
}

async function makeKey(
  { newId, secrets }: BootstrapDeps,
  tx: Transaction,
  organizationId: string,
  { apiKeyId, apiKeySecret }: BootstrapSettings,
  now: number,
): Promise<{ id: string; secret: string }> {
  const id = apiKeyId ?? newId();
  // Basic credentials lose white space at their end, so a secret cannot have any.
  const chosen = apiKeySecret?.trimEnd() ?? null;
  const secret = chosen ?? generateSecret();
  const row = await insertApiKey(tx, organizationId, {
    id,
    name: KEY_NAME,
    permissions: KEY_PERMISSIONS,
    expiresAt: null,
    secretHash: chosen === null ? quickHash(secret) : await secrets.hashChosen(secret),
    now,
  });
  if (!row) {
    throw new StartFailure(
      `FIELDWATCH_API_KEY_ID: the key id ${id} belongs to another organization; choose another one.`,
    );
  }
  return { id, secret };
}
