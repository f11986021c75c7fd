import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The last backup that was made with this data directory. */
export interface LastBackup {
  readonly file: string;
  readonly createdDateTime: string;
  readonly rows: number;
}

const FILE = 'last-backup.json';

/** For `status`. A directory that cannot be written does not make a backup fail. */
export function recordBackup(dataDir: string, backup: LastBackup): void {
  try {
    writeFileSync(join(dataDir, FILE), `${JSON.stringify(backup, null, 2)}\n`, { mode: 0o600 });
  } catch {
    // The file is a convenience; the backup itself is complete.
  }
}

export function readLastBackup(dataDir: string): LastBackup | null {
  try {
    const { file, createdDateTime, rows } = JSON.parse(
      readFileSync(join(dataDir, FILE), 'utf8'),
    ) as Partial<LastBackup>;
    if (typeof file !== 'string' || typeof createdDateTime !== 'string') return null;
    return { file, createdDateTime, rows: Number(rows) };
  } catch {
    return null;
  }
}
