import type { Config } from '../config.ts';
import { escapeControls } from '../runtime/index.ts';
import type { Service } from './compose.ts';

type FirstStart = Extract<Service['bootstrap'], { created: true }>;

export const ROOT_WARNING =
  'the server runs as root, which it does not need: run it as a user of its own that owns the data directory (see docs/running.md)';

/** The text that a start prints for the operator, without secrets that they set themselves. */
export function startupBanner({ port, mqttPort, bootstrap }: Service, config: Config): string {
  const { http, mqtt, isDemo } = config;
  const named = http.host === '0.0.0.0' || http.host === '::' ? 'localhost' : http.host;
  const host = named.includes(':') ? `[${named}]` : named;
  const address = `http${http.tls ? 's' : ''}://${host}:${port}`;
  const broker =
    mqttPort === null ? 'your own broker' : `mqtt${mqtt.tls ? 's' : ''}://${host}:${mqttPort}`;
  const lines = [
    '',
    `  Fieldwatch is ready at ${address}`,
    '',
    ...(isDemo ? demoLines(config) : []),
    `  Organization   ${bootstrap.organizationId}`,
    `  Reference      ${address}/docs`,
    `  MQTT           ${broker}`,
  ];
  if (bootstrap.created && !isDemo) lines.push(...firstStartLines(bootstrap, config, address));
  return [...lines, ''].map(escapeControls).join('\n');
}

function firstStartLines(
  bootstrap: FirstStart,
  { bootstrap: configured }: Config,
  address: string,
): string[] {
  const { adminEmail, apiKeyId, apiKeySecret, organizationId } = bootstrap;
  const secret = configured.apiKeySecret === null ? apiKeySecret : null;
  // Without a secret, curl prompts for it.
  const credentials = secret === null ? apiKeyId : `${apiKeyId}:${secret}`;
  return [
    `  Administrator  ${adminEmail}`,
    administratorLine(bootstrap, configured.adminPassword !== null),
    `  API key        ${apiKeyId}`,
    `  API secret     ${secret ?? AS_CONFIGURED}`,
    '',
    '  Generated secrets are shown this once. Try:',
    '',
    `  curl -u '${credentials}' ${address}/primary/v1/${organizationId}/devices`,
  ];
}

const AS_CONFIGURED = 'as configured';

function administratorLine(
  { adminPassword, adminInvitationToken }: FirstStart,
  isConfigured: boolean,
): string {
  if (adminInvitationToken !== null) return `  Invitation     ${adminInvitationToken}`;
  return `  Password       ${isConfigured ? AS_CONFIGURED : adminPassword}`;
}

/** The password of a demo protects nothing, so each start shows it. */
function demoLines({ dataDir, bootstrap }: Config): string[] {
  return [
    '  THIS IS A DEMO. All of its data is generated.',
    `  Its data is in ${dataDir}; npm run demo:delete deletes it.`,
    '',
    `  Email          ${bootstrap.adminEmail}`,
    `  Password       ${bootstrap.adminPassword}`,
  ];
}
