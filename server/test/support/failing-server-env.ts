export const organizationId = '018f0000-0000-7000-8000-0000000000ad';
export const KEY = { id: 'crash-key', secret: 'crash-secret-of-32-characters-or-more' };

/** The settings of a server that ends at a failpoint. */
export const failingServerEnv = (of: {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly smtpUrl: string;
}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH ?? '',
  DATABASE_URL: of.databaseUrl,
  FIELDWATCH_DATA_DIR: of.dataDir,
  FIELDWATCH_HTTP_HOST: '127.0.0.1',
  FIELDWATCH_HTTP_PORT: '0',
  FIELDWATCH_MQTT_PORT: '0',
  FIELDWATCH_ORGANIZATION_ID: organizationId,
  FIELDWATCH_API_KEY_ID: KEY.id,
  FIELDWATCH_API_KEY_SECRET: KEY.secret,
  FIELDWATCH_REQUESTS_PER_MINUTE: '0',
  FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1',
  FIELDWATCH_SMTP_URL: of.smtpUrl,
  FIELDWATCH_MAIL_FROM: 'alarms@example.org',
});
