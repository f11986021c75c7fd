import { type DestinationStream, type Logger, pino } from 'pino';
import { escapeControls } from './escape-controls.ts';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Lines of JSON on standard error. Nothing that a caller sent in a header or body goes in. Names may
 * be in a line, and may hold what a terminal would obey: it is written as an escape.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination(2),
): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => destination.write(`${escapeControls(line.trimEnd())}\n`) },
  );
}
