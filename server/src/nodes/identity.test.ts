import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/support/storage.ts';
import { readNodeId } from './identity.ts';

const isRoot = process.getuid?.() === 0;

describe('the id of a node', () => {
  it('stays the same in its data directory, and is another one for each process', async () => {
    const dataDir = await temporaryDirectory();
    const first = readNodeId(dataDir);
    expect(readNodeId(dataDir)).toBe(first);
    expect(readNodeId(dataDir, 2)).not.toBe(first);
  });

  it('is in a data directory that others cannot read, and that the PostgreSQL of root can enter', async () => {
    const dataDir = join(await temporaryDirectory(), 'data');
    readNodeId(dataDir);
    const { mode } = statSync(dataDir);
    // Windows has no such modes.
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  });

  it('in a directory that cannot be made is a failure with one sentence', async () => {
    const file = join(await temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const dataDir = join(file, 'data');
    expect(() => readNodeId(dataDir)).toThrow(
      `FIELDWATCH_DATA_DIR: ${dataDir} cannot be made or written: a part of the path is not a directory.`,
    );
  });
});
