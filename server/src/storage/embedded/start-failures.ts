import { StartFailure } from '../../runtime/index.ts';

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The operator's sentence for a program of PostgreSQL that failed. */
export function programFailure(dataDir: string, program: string, output: string): StartFailure {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new StartFailure(`FIELDWATCH_DATA_DIR: no space is left on the disk of ${dataDir}.`);
  }
  const lines = output.split('\n').map((line) => line.trim());
  const reason = lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1);
  return new StartFailure(
    `FIELDWATCH_DATA_DIR: ${program} failed in ${dataDir}: ${reason || 'it printed nothing'}.`,
    { cause: new Error(output) },
  );
}
