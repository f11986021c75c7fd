import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecret } from '../access/index.ts';
import type { Config } from '../config.ts';
import { StartFailure } from '../runtime/index.ts';

/** In the data directory of a demo: marks it as one, and holds what each start prints. */
const MARK = 'demo.json';
/** What a server of any kind leaves in its data directory. */
const TRACES = ['postgres', 'secret.key'];

interface SignIn {
  readonly email: string;
  readonly password: string;
}

/**
 * The settings with which to start in their data directory. A demo and real data never share one: a
 * directory that a demo made is refused to others, and one that others made to a demo.
 */
export function claimDataDir(config: Config): Config {
  const { dataDir, bootstrap, isDemo } = config;
  const mark = join(dataDir, MARK);
  const isMarked = existsSync(mark);
  if (!isDemo && !isMarked) return config;
  if (!isDemo) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${dataDir} holds a demo. Start it with npm start -- --demo, or use another directory.`,
    );
  }
  if (!isMarked && TRACES.some((name) => existsSync(join(dataDir, name)))) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${dataDir} holds data that is not a demo's. The demo needs that name for itself: move the directory, or set FIELDWATCH_DATA_DIR.`,
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
    // Told below, as what is in it and cannot be read.
  }
  throw new StartFailure(
    `FIELDWATCH_DATA_DIR: ${mark} is damaged. npm run demo:delete throws the demo away; the next start makes a new one.`,
  );
}

function make(mark: string, { dataDir, bootstrap }: Config): SignIn {
  const signIn = {
    email: bootstrap.adminEmail,
    password: bootstrap.adminPassword ?? generateSecret(),
  };
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(mark, `${JSON.stringify(signIn, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    throw new StartFailure(
      `FIELDWATCH_DATA_DIR: ${mark} cannot be written (${(error as Error).message}).`,
    );
  }
  return signIn;
}
