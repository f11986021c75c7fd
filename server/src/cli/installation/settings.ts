import { type Config, readConfig } from '../../config.ts';
import { createLog } from '../../runtime/index.ts';
import type { EngineOptions } from '../../storage/index.ts';
import { CommandFailure, type Terminal } from '../command/index.ts';

/** The settings of the server whose installation a command works on. */
export function readSettings({ environment }: Terminal): Config {
  const read = readConfig(environment);
  if ('problems' in read) throw new CommandFailure(read.problems);
  return read.config;
}

/** The database of the installation. */
export function engineOf(config: Config, { progress }: Terminal): EngineOptions {
  return { ...config, log: createLog(config.logLevel), onProgress: progress.step };
}
