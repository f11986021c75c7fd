const MAX_CONCURRENT_CALLS = 4;

interface BulkWork<T> {
  readonly records: readonly T[];
  readonly run: (record: T) => Promise<unknown>;
  readonly onProgress: (done: number) => void;
}

/** A record for which the work failed. */
export interface BulkFailure<T> {
  readonly record: T;
  readonly error: unknown;
}

/** Works on many records, a few calls at a time. A failure does not stop the others. */
export async function runBulk<T>(work: BulkWork<T>): Promise<readonly BulkFailure<T>[]> {
  const { records, run, onProgress } = work;
  const failures = new Map<T, unknown>();
  const waiting = records.values();
  let done = 0;
  const worker = async () => {
    for (const record of waiting) {
      try {
        await run(record);
      } catch (error) {
        failures.set(record, error);
      }
      done += 1;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CALLS }, worker));
  return records
    .filter((record) => failures.has(record))
    .map((record) => ({ record, error: failures.get(record) }));
}

interface Described<T> {
  readonly nameOf: (record: T) => string;
  readonly reasonOf: (error: unknown) => string;
}

/** The names of the records that failed, by reason. */
export function namesByReason<T>(
  failures: readonly BulkFailure<T>[],
  { nameOf, reasonOf }: Described<T>,
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { record, error } of failures) {
    const reason = reasonOf(error);
    names.set(reason, [...(names.get(reason) ?? []), nameOf(record)]);
  }
  return names;
}
