import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSecret, placeSecret } from './secret-file.ts';

describe("the installation's secret", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'fieldwatch-secret-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is made once, in a file that only its owner reads', () => {
    const secret = loadSecret(null, join(directory, 'data'));
    expect(secret).toHaveLength(32);
    expect(loadSecret(null, join(directory, 'data')).equals(secret)).toBe(true);
    expect(statSync(join(directory, 'data', 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'data'))).toEqual(['secret.key']);
  });

  it('is the setting where there is one, and then no file is made', () => {
    expect(loadSecret('x'.repeat(32), directory).toString()).toBe('x'.repeat(32));
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is never replaced when the file is damaged', () => {
    writeFileSync(join(directory, 'secret.key'), 'damaged');
    expect(() => loadSecret(null, directory)).toThrow(/FIELDWATCH_DATA_DIR: .* is damaged/);
  });

  it('comes from a backup where there is none yet, and is not replaced by another', () => {
    const secret = Buffer.alloc(32, 7);
    placeSecret(directory, secret);
    placeSecret(directory, secret);
    expect(loadSecret(null, directory).equals(secret)).toBe(true);
    expect(() => placeSecret(directory, Buffer.alloc(32, 8))).toThrow(/is another key/);
    expect(loadSecret(null, directory).equals(secret)).toBe(true);
  });

  it('that cannot be written is told by the name of the setting', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => loadSecret(null, join(directory, 'file'))).toThrow(/FIELDWATCH_DATA_DIR: /);
  });
});
