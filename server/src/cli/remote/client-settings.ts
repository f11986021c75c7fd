import { isUuid } from '../../runtime/index.ts';

interface ClientSettings {
  readonly url: string;
  readonly key: { readonly apiKeyId: string; readonly apiKeySecret: string } | null;
  readonly organizationId: string | null;
  readonly user: { readonly email: string; readonly password: string } | null;
}

/** The settings of a command that talks to a server, or a sentence per wrong one. */
export function readClientSettings(
  env: Readonly<Record<string, string | undefined>>,
): { readonly settings: ClientSettings } | { readonly problems: readonly string[] } {
  const url = (env.FIELDWATCH_URL || 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const [keyId = '', ...rest] = (env.FIELDWATCH_KEY ?? '').split(':');
  const secret = rest.join(':');
  const organizationId = env.FIELDWATCH_ORGANIZATION_ID || null;
  const problems: string[] = [];
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    problems.push('FIELDWATCH_URL must be the http(s) address of a server.');
  }
  if (env.FIELDWATCH_KEY && (keyId === '' || secret === '')) {
    problems.push('FIELDWATCH_KEY must be the id and the secret of an API key: id:secret.');
  }
  if (organizationId !== null && !isUuid(organizationId)) {
    problems.push('FIELDWATCH_ORGANIZATION_ID must be a UUID.');
  }
  const [email, password] = [env.FIELDWATCH_USER, env.FIELDWATCH_PASSWORD];
  if (email && !password) problems.push('FIELDWATCH_PASSWORD must be the password of the user.');
  if (problems.length > 0) return { problems };
  const key = keyId === '' ? null : { apiKeyId: keyId, apiKeySecret: secret };
  const user = email && password ? { email, password } : null;
  return { settings: { url, key, organizationId, user } };
}
