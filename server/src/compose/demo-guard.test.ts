import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataDir } from '../../test/support/data-dir.ts';
import { type Config, readConfig } from '../config.ts';
import { claimDataDir } from './demo-guard.ts';

let directory: ReturnType<typeof createDataDir>;

beforeEach(() => {
  directory = createDataDir();
});
afterEach(() => directory.remove());

function configOf(env: Record<string, string>): Config {
  const result = readConfig({ FIELDWATCH_DATA_DIR: join(directory.path, 'data'), ...env });
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.config;
}

const demo = () => configOf({ FIELDWATCH_DEMO: 'true' });

describe('the data directory of a demo', () => {
  it('is marked at the first start, with the password for later ones', () => {
    const first = claimDataDir(demo());
    expect(first.bootstrap.adminPassword).toMatch(/^\S{20,}$/);
    expect(claimDataDir(demo()).bootstrap).toEqual(first.bootstrap);
    const mark = join(first.dataDir, 'demo.json');
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toEqual({
      email: first.bootstrap.adminEmail,
      password: first.bootstrap.adminPassword,
    });
  });

  it('is refused for a server with real data', () => {
    const { dataDir } = claimDataDir(demo());
    const real = configOf({ FIELDWATCH_DATA_DIR: dataDir });
    expect(() => claimDataDir(real)).toThrow('contains a demo');
  });

  it.each(['postgres', 'secret.key'])('is refused where %s exists already', (name) => {
    const { dataDir } = demo();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, name), '');
    expect(() => claimDataDir(demo())).toThrow("that is not a demo's");
  });

  it.each(['', '{}', '{"email":1,"password":"x"}'])('is refused with a damaged mark %j', (text) => {
    const { dataDir } = claimDataDir(demo());
    writeFileSync(join(dataDir, 'demo.json'), text);
    expect(() => claimDataDir(demo())).toThrow('demo:delete');
  });

  it('that cannot be created is named in the error', () => {
    writeFileSync(demo().dataDir, 'a file');
    expect(() => claimDataDir(demo())).toThrow('cannot be made or written');
  });
});

describe('the data directory of a server for real data', () => {
  it('is not changed', () => {
    const real = configOf({});
    expect(claimDataDir(real)).toBe(real);
    mkdirSync(real.dataDir);
    expect(claimDataDir(real)).toBe(real);
  });
});
