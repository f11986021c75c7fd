import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecret } from '../access/index.ts';
import type { Config } from '../config.ts';
import { dataDirFailure, makeDataDir, StartFailure } from '../runtime/index.ts';

/** Marks the data directory of a demo, and contains the sign-in that each start prints. */
const MARK = 'demo.json';
/** Files that any server creates in its data directory. */
const TRACES = ['postgres', 'secret.key'];

interface SignIn {
  readonly email: string;
  readonly password: string;
}

/**
 * Returns the settings for the data directory. A demo and real data never share one: a directory of
 * a demo is refused for real data, and one with real data is refused for a demo.
 */
export function claimDataDir(config: Config): Config {
  const { dataDir, bootstrap, isDemo } = config;
  const mark = join(dataDir, MARK);
  const isMarked = existsSync(mark);
  if (!isDemo && !isMarked) return config;
  if (!isDemo) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${dataDir} contains a demo. Start it with npm start -- --demo, or use another directory.`,
    );
  }
  if (!isMarked && TRACES.some((name) => existsSync(join(dataDir, name)))) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${dataDir} contains data that is not a demo's. Move the directory, or set FIELDWATCH_DATA_DIR.`,
    );
  }
  const { email, password } = isMarked ? read(mark) : make(mark, config);
  return { ...config, bootstrap: { ...bootstrap, adminEmail: email, adminPassword: password } };
}

function read(mark: string): SignIn {
  try {
    const { email, password } = JSON.parse(readFileSync(mark, 'utf8')) as Partial<SignIn>;
    if (typeof email === 'string' && typeof password === 'string') return { email, password };
  } catch {
    // Reported below, like unreadable content.
  }
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${mark} is damaged. npm run demo:delete deletes the demo; the next start creates a new one.`,
  );
}

function make(mark: string, { dataDir, bootstrap }: Config): SignIn {
  const signIn = {
    email: bootstrap.adminEmail,
    password: bootstrap.adminPassword ?? generateSecret(),
  };
  try {
    makeDataDir(dataDir);
    writeFileSync(mark, `${JSON.stringify(signIn, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    throw dataDirFailure(dataDir, error);
  }
  return signIn;
}
