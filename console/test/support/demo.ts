import { type Run, startInCheckout } from '../../../server/test/support/checkout.ts';
import { documented, withoutNpm } from '../../../server/test/support/documented-commands.ts';

/** The command of the page that starts the demo. */
export const DEMO = withoutNpm(documented('docs/demo.md', 'npm start -- --demo'));

/** Starts the demo with a data directory beside the given one. */
export function startDemo(dataDir: string, ...args: string[]): Run {
  return startInCheckout('bash', ['-c', [DEMO, ...args].join(' ')], {
    ...DEMO_SETTINGS,
    FIELDWATCH_DATA_DIR: dataDir,
  });
}

export const DEMO_SETTINGS = {
  FIELDWATCH_HTTP_HOST: '127.0.0.1',
  FIELDWATCH_HTTP_PORT: '0',
  FIELDWATCH_MQTT_PORT: '0',
  FIELDWATCH_LOG_LEVEL: 'warn',
};

/** The address and credentials that a start prints. */
export function printed(output: string) {
  const after = (label: string) => new RegExp(`${label} +(\\S+)`).exec(output)?.[1] ?? '';
  return {
    url: /ready at (\S+)/.exec(output)?.[1] ?? '',
    organizationId: after('Organization'),
    email: after('Email'),
    password: after('Password'),
  };
}
