import type { Config } from '../config.ts';
import { reencryptAppKeys } from '../devices/index.ts';
import { createResponseCache } from '../http/index.ts';
import { readNodeId, sessionName } from '../nodes/index.ts';
import { reencryptSecrets } from '../notify/index.ts';
import { createDeviceIndex } from '../presence/index.ts';
import {
  type Clock,
  createIds,
  createKeyring,
  createMetrics,
  type Log,
  readSecret,
} from '../runtime/index.ts';
import { claimSecret, openStorage } from '../storage/index.ts';

interface OpeningEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
}

/** The services that nearly every part needs, on an open installation. */
export async function openCore(config: Config, environment: OpeningEnvironment) {
  const { clock, log } = environment;
  const nodeId = readNodeId(config.dataDir);
  return {
    ...{ clock, log, nodeId },
    newId: createIds(clock),
    metrics: createMetrics(),
    responseCache: createResponseCache(clock),
    deviceIndex: createDeviceIndex(),
    ...(await openInstallation(config, nodeId, environment)),
  };
}

/** The database and the secret key that belong together. */
async function openInstallation(config: Config, nodeId: string, environment: OpeningEnvironment) {
  const { secretKey, dataDir, isNew } = config;
  const mayCreateCluster = isNew || secretKey !== null || readSecret(null, dataDir) === null;
  const storage = await openStorage({
    ...config,
    ...environment,
    mayCreateCluster,
    sessionName: sessionName(nodeId),
  });
  try {
    const keyring = createKeyring(await claimSecret(storage, config));
    const unreadable =
      (await reencryptAppKeys(storage.background, keyring)) +
      (await reencryptSecrets(storage.background, keyring));
    if (unreadable > 0) {
      environment.log.warn({ unreadable }, 'encrypted values cannot be read with this secret key');
    }
    return { storage, keyring };
  } catch (error) {
    await storage.stop();
    throw error;
  }
}
