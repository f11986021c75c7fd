import type { Client } from '@fieldwatch/client';
import type { Static, TObject } from 'typebox';
import { isoDateTime } from '../runtime/index.ts';
import type { Answer } from './answer.ts';

/** What tools read from: one organization, with the permissions of the client's credentials. */
export interface Source {
  readonly client: Client;
  readonly organizationId: string;
  readonly now: () => number;
}

/** A tool of the MCP server: a function of a source and an input, which changes nothing. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  run(source: Source, input: unknown): Promise<Answer>;
}

interface Definition<S extends TObject> extends Omit<Tool, 'input' | 'run'> {
  readonly input: S;
  readonly run: (source: Source, input: Static<S>) => Promise<Answer>;
}

/** Its input is checked against the schema before it runs. */
export function tool<S extends TObject>({ run, ...rest }: Definition<S>): Tool {
  return { ...rest, run: (source, input) => run(source, input as Static<S>) };
}

/** An input that cannot be answered, with a sentence for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface TimeRange {
  readonly startTime: number;
  readonly endTime: number;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function parseTime(name: string, text: string): number {
  const epochMs = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs) || epochMs < 0) {
    throw new ToolError(
      `${name} must be an ISO 8601 date and time with its zone, such as 2026-11-15T08:30:00Z or 2026-11-15T09:30:00+01:00.`,
    );
  }
  return epochMs;
}

/** The range of an input; it ends now and begins `defaultMs` before its end where the input does not say. */
export function rangeOf(
  { now }: Source,
  given: { readonly startTime?: string; readonly endTime?: string },
  defaultMs: number,
): TimeRange {
  const endTime = given.endTime === undefined ? now() : parseTime('endTime', given.endTime);
  const startTime =
    given.startTime === undefined
      ? Math.max(0, endTime - defaultMs)
      : parseTime('startTime', given.startTime);
  if (startTime >= endTime) throw new ToolError('startTime must be before endTime.');
  return { startTime, endTime };
}

/** A range as an answer shows it. */
export function shownRange({ startTime, endTime }: TimeRange) {
  return { startTime: isoDateTime(startTime), endTime: isoDateTime(endTime) };
}
