import type { Config } from '../config.ts';
import { reencryptAppKeys } from '../devices/index.ts';
import { createResponseCache } from '../http/index.ts';
import { newSessionName, readNodeId } from '../nodes/index.ts';
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
import { claimSecret, openStorage, type Target } from '../storage/index.ts';

interface OpeningEnvironment {
  readonly clock: Clock;
  readonly log: Log;
  readonly onProgress: (text: string) => void;
  readonly process?: ProcessEnvironment | undefined;
}

/** What one of several processes on a machine has of those. */
export interface ProcessEnvironment {
  /** From 1 on. */
  readonly number: number;
  /** The embedded PostgreSQL, which the processes share; undefined with an external one. */
  readonly startedTarget: Target | undefined;
  /** The metrics of all processes. */
  readonly gatherMetrics: () => Promise<string>;
  /** Called with what reads the metrics of this process. */
  readonly onMetrics: (read: () => Promise<string>) => void;
}

/** The services that nearly every part needs, on an open installation. */
export async function openCore(config: Config, environment: OpeningEnvironment) {
  const { clock, log } = environment;
  const nodeId = readNodeId(config.dataDir, environment.process?.number);
  return {
    ...{ clock, log, nodeId, onlineMinutes: config.onlineMinutes },
    newId: createIds(clock),
    metrics: createMetrics(),
    responseCache: createResponseCache(clock),
    deviceIndex: createDeviceIndex(),
    ...(await openInstallation(config, nodeId, environment)),
  };
}

/** A missing cluster is a first start, unless the key of an installation is in place. */
export function mayCreateCluster({ secretKey, dataDir, isNew }: Config): boolean {
  return isNew || secretKey !== null || readSecret(null, dataDir) === null;
}

/** The database and the secret key that belong together. */
async function openInstallation(config: Config, nodeId: string, environment: OpeningEnvironment) {
  const { process, ...opening } = environment;
  const storage = await openStorage({
    ...config,
    ...opening,
    startedTarget: process?.startedTarget,
    mayCreateCluster: mayCreateCluster(config),
    sessionName: newSessionName(nodeId),
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
