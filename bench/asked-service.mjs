// The built server as a process of its own, on a data directory, called with an API key.
import { fileURLToPath } from 'node:url';
import { createAsking, freePort, startPrivate } from './private-process.mjs';
import { authorization, key, organizationId } from './service.mjs';
import { START_FLAGS } from './start-flags.mjs';

const MAIN = fileURLToPath(new URL('../server/dist/bundle/main.js', import.meta.url));

/** Starts it as `npm start` does. The first start creates the organization and the key. */
export async function startAskedService(dataDir) {
  const port = await freePort();
  const service = await startPrivate(process.execPath, {
    args: [...START_FLAGS, MAIN],
    env: {
      FIELDWATCH_HTTP_HOST: '127.0.0.1',
      FIELDWATCH_HTTP_PORT: String(port),
      FIELDWATCH_MQTT_PORT: '0',
      FIELDWATCH_DATA_DIR: dataDir,
      FIELDWATCH_LOG_LEVEL: 'error',
      FIELDWATCH_REQUESTS_PER_MINUTE: '0',
      FIELDWATCH_ORGANIZATION_ID: organizationId,
      FIELDWATCH_API_KEY_ID: key.id,
      FIELDWATCH_API_KEY_SECRET: key.secret,
    },
    port,
    healthPath: '/readyz',
  });
  return { ...service, ask: createAsking(port, { authorization }) };
}

export async function withService(dataDir, work) {
  const service = await startAskedService(dataDir);
  try {
    await work(service.ask);
  } finally {
    await service.stop();
  }
}
