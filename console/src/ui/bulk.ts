const MAX_CONCURRENT_CALLS = 4;

interface BulkWork<T> {
  readonly records: readonly T[];
  readonly recordsPerCall: number;
  readonly run: (records: readonly T[]) => Promise<unknown>;
  readonly onProgress: (done: number) => void;
}

/** The records for which the work failed, and the first failure. */
export interface BulkOutcome<T> {
  readonly failed: readonly T[];
  readonly failure: unknown;
}

/** Works on many records, a few calls at a time. A failure does not stop the others. */
export async function runBulk<T>(work: BulkWork<T>): Promise<BulkOutcome<T>> {
  const { records, recordsPerCall, run, onProgress } = work;
  const failed: T[] = [];
  let [failure, next, done]: [unknown, number, number] = [null, 0, 0];
  const worker = async () => {
    while (next < records.length) {
      const part = records.slice(next, next + recordsPerCall);
      next += recordsPerCall;
      try {
        await run(part);
      } catch (error) {
        failed.push(...part);
        failure ??= error;
      }
      done += part.length;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, worker));
  return { failed, failure };
}
