import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { blocksIn, documented, settingsOf } from './support/documented-commands.ts';
import { freePort } from './support/ports.ts';
import { startServer } from './support/server.ts';
import { temporaryDirectory } from './support/storage.ts';

/** The commands of the tutorial. Those that start the server are marked as `console`. */
const commands = () => blocksIn('docs/tutorial.md', 'sh').join('\n');

it('the commands of the tutorial lead from an empty server to an acknowledged and cleared alarm', async () => {
  const restart = documented('docs/tutorial.md', 'FIELDWATCH_OUTBOUND_ALLOW=127.0.0.1 npm start');
  const server = await startServer({ env: settingsOf(restart) });
  onTestFinished(() => server.stop());
  const directory = await temporaryDirectory();
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands()], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      FIELDWATCH: server.url,
      ORGANIZATION_ID: server.organizationId,
      API_KEY: atob(server.key.replace('Basic ', '')),
      EMAIL: server.adminEmail,
      PASSWORD: server.adminPassword,
      MQTT_PORT: `${server.mqttPort}`,
      RECEIVER_PORT: `${await freePort()}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outputs = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = await once(child, 'exit');
  const [output, errors] = await outputs;
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('"value":4.2');
  const notified = output.match(/alarm\.(?:raised|acknowledged|cleared)/g);
  expect(notified).toEqual(['alarm.raised', 'alarm.acknowledged', 'alarm.cleared']);
});
