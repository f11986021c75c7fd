import { expect, it } from 'vitest';
import { type Config, readConfig } from '../config.ts';
import { startupBanner } from './startup-banner.ts';

function configOf(env: Record<string, string>): Config {
  const result = readConfig(env);
  if ('problems' in result) throw new Error(result.problems.join());
  return result.config;
}

const PASSWORD = 'the password of the operator';
const SECRET = 'the secret of the operator, long enough';

const serviceWith = (adminPassword: string, apiKeySecret: string) => ({
  port: 8080,
  mqttPort: 1883,
  bootstrap: {
    created: true as const,
    organizationId: 'organization',
    adminEmail: 'admin@example.com',
    adminPassword,
    adminInvitationToken: null,
    apiKeyId: 'key',
    apiKeySecret,
  },
  stop: async () => undefined,
});

it('the first start shows what it generated, with a request that an Editor may make', () => {
  const text = startupBanner(serviceWith('generated', 'random'), configOf({}));
  expect(text).toContain('Password       generated');
  expect(text).toContain('API secret     random');
  expect(text).toContain('shown this once');
  expect(text).toContain(
    "curl -u 'key:random' http://localhost:8080/primary/v1/organization/devices",
  );
});

it('the first start shows no secret that the operator set', () => {
  const env = { FIELDWATCH_ADMIN_PASSWORD: PASSWORD, FIELDWATCH_API_KEY_SECRET: SECRET };
  const text = startupBanner(serviceWith(PASSWORD, SECRET), configOf(env));
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain(SECRET);
  expect(text).toContain('Password       as configured');
  expect(text).toContain('API secret     as configured');
  expect(text).toContain("curl -u 'key' http");
});
