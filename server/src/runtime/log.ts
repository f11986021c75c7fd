import { type DestinationStream, type Logger, pino } from 'pino';
import { escapeControls } from './escape-controls.ts';
import { Failure } from './failure.ts';
import { createLineLimit } from './line-limit.ts';

export type Log = Logger;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const WARN = 40;
const FATAL = 60;

/** A failure that was expected needs no stack: its code says where it comes from. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Failure)) return pino.stdSerializers.err(error as Error);
  const { code, message, cause } = error;
  return { code, message, cause: cause instanceof Error ? cause.message : undefined };
}

/**
 * Lines of JSON on standard error. Nothing that a caller sent in a header or body goes in. Names may
 * be in a line, and may hold what a terminal would obey: it is written as an escape. Of warnings and
 * errors that are alike, a few a minute are written and the others counted.
 */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination(2),
): Log {
  const limit = createLineLimit((message, omitted) =>
    log.warn({ omitted }, `${message} (more of these were omitted)`),
  );
  const log: Log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
      hooks: {
        logMethod(args, write, lineLevel) {
          const message: unknown = typeof args[0] === 'string' ? args[0] : args[1];
          const isLimited = lineLevel >= WARN && lineLevel < FATAL && typeof message === 'string';
          if (!isLimited || limit.admit(message)) write.apply(this, args);
        },
      },
    },
    { write: (line) => destination.write(`${escapeControls(line.trimEnd())}\n`) },
  );
  return log;
}
