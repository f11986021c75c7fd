import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecret, keepSecret, placeSecret, readNewSecret, readSecret } from './secret-file.ts';

describe("the installation's secret", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'fieldwatch-secret-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is made once, in a file that only its owner reads', () => {
    const dataDir = join(directory, 'data');
    const secret = createSecret(dataDir);
    expect(secret).toHaveLength(32);
    expect(createSecret(dataDir)).toEqual(secret);
    expect(readSecret(null, dataDir)).toBeNull();
    expect(readNewSecret(dataDir)).toEqual(secret);
    keepSecret(dataDir);
    keepSecret(dataDir);
    expect(readSecret(null, dataDir)).toEqual(secret);
    expect(readNewSecret(dataDir)).toBeNull();
    expect(statSync(dataDir).mode & 0o766).toBe(0o700);
    expect(statSync(join(directory, 'data', 'secret.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(directory, 'data'))).toEqual(['secret.key']);
  });

  it('is the setting where there is one, and then no file is made', () => {
    expect(readSecret('x'.repeat(32), directory)?.toString()).toBe('x'.repeat(32));
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is never replaced when the file is damaged', () => {
    writeFileSync(join(directory, 'secret.key'), 'damaged');
    expect(() => readSecret(null, directory)).toThrow(/FIELDWATCH_DATA_DIR: .* is damaged/);
  });

  it('comes from a backup where there is none yet, and is not replaced by another', () => {
    const secret = Buffer.alloc(32, 7);
    placeSecret(directory, secret);
    placeSecret(directory, secret);
    expect(readSecret(null, directory)).toEqual(secret);
    expect(() => placeSecret(directory, Buffer.alloc(32, 8))).toThrow(/is another key/);
    expect(readSecret(null, directory)).toEqual(secret);
  });

  it('that cannot be written is reported with the name of the setting', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => createSecret(join(directory, 'file'))).toThrow(/FIELDWATCH_DATA_DIR: /);
  });
});
