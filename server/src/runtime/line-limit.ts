/** Decides which of many alike lines of a log are written. */
export interface LineLimit {
  /** Whether a line with this message is written; those that are not are counted. */
  admit(message: string): boolean;
}

export const MAX_LINES_PER_MINUTE = 10;
const WINDOW_MS = 60_000;
const MAX_MESSAGES = 1_000;

/**
 * Of each message at most ten lines a minute are written. How many more there were is reported once,
 * when the minute ends.
 */
export function createLineLimit(report: (message: string, omitted: number) => void): LineLimit {
  const windows = new Map<string, { written: number; omitted: number }>();
  return {
    admit(message) {
      let window = windows.get(message);
      if (!window) {
        // Messages are constants of the program: there are never that many.
        if (windows.size >= MAX_MESSAGES) return true;
        const opened = { written: 0, omitted: 0 };
        window = opened;
        windows.set(message, opened);
        setTimeout(() => {
          windows.delete(message);
          if (opened.omitted > 0) report(message, opened.omitted);
        }, WINDOW_MS).unref();
      }
      if (window.written < MAX_LINES_PER_MINUTE) {
        window.written += 1;
        return true;
      }
      window.omitted += 1;
      return false;
    },
  };
}
