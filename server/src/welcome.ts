import type { Service } from './compose.ts';
import type { Config } from './config.ts';

/** What a start tells the person who typed the command. */
export function welcome({ port, mqttPort, bootstrap }: Service, config: Config): string {
  const { http, mqtt, isDemo } = config;
  const named = http.host === '0.0.0.0' || http.host === '::' ? 'localhost' : http.host;
  const host = named.includes(':') ? `[${named}]` : named;
  const address = `http://${host}:${port}`;
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
  if (bootstrap.created && !isDemo) {
    const { apiKeyId, apiKeySecret } = bootstrap;
    lines.push(
      `  Administrator  ${bootstrap.adminEmail}`,
      ...(bootstrap.adminInvitationToken === null
        ? [`  Password       ${bootstrap.adminPassword}`]
        : [`  Invitation     ${bootstrap.adminInvitationToken}`]),
      `  API key        ${apiKeyId}`,
      `  API secret     ${apiKeySecret}`,
      '',
      '  The password and the secret are shown this once. Try:',
      '',
      `  curl -u '${apiKeyId}:${apiKeySecret}' ${address}/primary/v1/${bootstrap.organizationId}/api-keys`,
    );
  }
  return [...lines, ''].join('\n');
}

/** A demo's password protects nothing, so each start shows it. */
function demoLines({ dataDir, bootstrap }: Config): string[] {
  return [
    '  THIS IS A DEMO. Everything in it is made up.',
    `  It is kept in ${dataDir}, and npm run demo:delete throws it away.`,
    '',
    `  Email          ${bootstrap.adminEmail}`,
    `  Password       ${bootstrap.adminPassword}`,
  ];
}
