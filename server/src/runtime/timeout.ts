/**
 * The outcome of work, or a rejection with the error that `late` makes when the work takes longer.
 * The work itself goes on: whatever can be aborted needs a signal of its own.
 */
export function withTimeout<T>(
  limitMs: number,
  work: Promise<T>,
  late: (limitMs: number) => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(limitMs)), Math.max(0, limitMs));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether work ended within the time. Rejects when it failed within the time. */
export function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, limitMs));
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
