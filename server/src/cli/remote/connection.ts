import { type Client, ConnectionError, createClient, FieldwatchError } from '@fieldwatch/client';
import { CommandFailure, type Input, type Terminal, wrongUsage } from '../command/index.ts';
import { readClientSettings } from './client-settings.ts';

/** A server that a command talks to. */
export interface Connection {
  readonly client: Client;
  readonly organizationId: string;
  readonly url: string;
  /** Signed in as a user, rather than with an API key. */
  readonly isUser: boolean;
}

/** Options come before the environment. The secret of the key appears in no message. */
export function connect(input: Input, { environment }: Terminal): Connection {
  const { url, key, organizationId } = settingsOf(input, environment);
  if (key === null) throw wrongUsage('Give an API key: --key id:secret, or FIELDWATCH_KEY.');
  return {
    client: createClient({ baseUrl: url, credentials: key }),
    organizationId,
    url,
    isUser: false,
  };
}

/** As a user where one is named, since some records are for users only; otherwise with a key. */
export function connectAsUserOrKey(input: Input, terminal: Terminal): Connection {
  const { url, organizationId, user } = settingsOf(input, terminal.environment);
  if (user === null) return connect(input, terminal);
  const client = createClient({ baseUrl: url, credentials: user });
  return { client, organizationId, url, isUser: true };
}

function settingsOf(input: Input, environment: Terminal['environment']) {
  const read = readClientSettings({
    ...environment,
    ...given('FIELDWATCH_URL', input.value('--url')),
    ...given('FIELDWATCH_KEY', input.value('--key')),
    ...given('FIELDWATCH_ORGANIZATION_ID', input.value('--organization')),
    ...given('FIELDWATCH_USER', input.value('--user')),
  });
  if ('problems' in read) throw wrongUsage(read.problems.join(' '));
  const { organizationId } = read.settings;
  if (organizationId === null) {
    throw wrongUsage('Name the organization: --organization, or FIELDWATCH_ORGANIZATION_ID.');
  }
  return { ...read.settings, organizationId };
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

/** Runs calls, and explains their failures in sentences. */
export async function explained<T>({ url }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FieldwatchError) {
      throw new CommandFailure([
        `${url} refused: ${error.detail} (${error.code})`,
        ...error.errors.map(({ path, message }) => `  ${path} ${message}`),
      ]);
    }
    if (error instanceof ConnectionError) {
      throw new CommandFailure(`${url} cannot be reached. Check --url or FIELDWATCH_URL.`);
    }
    throw error;
  }
}
