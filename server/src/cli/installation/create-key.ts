import { KEY_PERMISSIONS, type KeyPermission, ROLES } from '@fieldwatch/contract';
import { createOperatorKey, grantedByRole, listOrganizations } from '../../access/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { type Command, CommandFailure, EXIT, type Input, wrongUsage } from '../command/index.ts';
import { withInstallation } from './open.ts';

const MAX_NAME_LENGTH = 100;
const DAY_MS = 86_400_000;

function permissionsOf(input: Input): readonly KeyPermission[] {
  const role = ROLES.find((each) => each === input.value('--role'));
  const named = input.values('--permission');
  if ((role === undefined) === (named.length === 0)) {
    throw wrongUsage('Give either --role or --permission.');
  }
  if (role !== undefined) return grantedByRole(role);
  return KEY_PERMISSIONS.filter((permission) => named.includes(permission));
}

function lifeMs(input: Input): number | null {
  const text = input.value('--days');
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw wrongUsage('--days must be a number from 1 to 99999.');
  return Number(text) * DAY_MS;
}

/** The organization that is named, or else the only one. */
async function organizationOf(db: Queries, named: string | undefined): Promise<string> {
  const organizations = await listOrganizations(db);
  const found = organizations.filter(({ id }) => named === undefined || id === named.toLowerCase());
  const [only] = found;
  if (only && found.length === 1) return only.id;
  if (!only) throw new CommandFailure(`There is no organization ${named ?? 'yet'}.`);
  throw new CommandFailure([
    'There are several organizations: name one with --organization.',
    ...organizations.map(({ id, name }) => `  ${id}  ${name}`),
  ]);
}

export const runCreateKey: Command['run'] = async (input, terminal) => {
  const [name = ''] = input.args;
  if ([...name].length > MAX_NAME_LENGTH) {
    throw wrongUsage(`The name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  const permissions = permissionsOf(input);
  const life = lifeMs(input);
  const key = await withInstallation(terminal, async (opened) => {
    const organizationId = await organizationOf(opened.storage, input.value('--organization'));
    const expiresAt = life === null ? null : opened.clock.now() + life;
    const created = await createOperatorKey(opened, {
      ...{ organizationId, name, permissions, expiresAt },
    });
    const expiresDateTime = expiresAt === null ? null : isoDateTime(expiresAt);
    return { ...created, organizationId, name, permissions, expiresDateTime };
  });
  terminal.answer(key, [
    `Created the API key ${name} of the organization ${key.organizationId}.`,
    `Id      ${key.id}`,
    `Secret  ${key.secret}`,
    'The secret is shown this once.',
  ]);
  return EXIT.OK;
};
