import { MAX_LISTED_REJECTIONS } from '@fieldwatch/contract';
import { isStorable, isWithin, presentable } from './text.ts';
import { isValue, type Value } from './value.ts';

/** One value of a payload with its time, in epoch milliseconds. */
export interface Sample {
  readonly path: string;
  readonly value: Value;
  readonly at: number;
}

export interface RejectedSample {
  /** The path, truncated and cleaned where it cannot be shown or stored; empty where it is not listed. */
  readonly key: string;
  readonly reason: 'wrongType' | 'badTime' | 'unknownPath';
}

/** Receives the values of a document one by one: an object for each would cost too much. */
export interface Sink {
  /** The time is `NO_TIMESTAMP` where the document states none. */
  take(path: string, value: Value, at: number): void;
}

/** The state of a walk through a document. */
export interface Findings {
  readonly sink: Sink;
  readonly rejected: RejectedSample[];
  /** How many values the sink received. */
  count: number;
  /** False when no text of the document can contain characters that cannot be stored. */
  readonly isSuspect: boolean;
}

/** The limit for nested objects and arrays, including the document. */
export const MAX_DEPTH = 32;

/** As many as a body of the maximum size can have in its array form; as many again may be rejected. */
export const MAX_READINGS = 200_000;

/** The limit in code points. No Variable has a longer path. */
export const MAX_PATH_LENGTH = 500;

// A path with this many UTF-16 units is too long, whatever its code points are.
const LONG_PATH_UNITS = 2 * MAX_PATH_LENGTH + 1;

/** Why the whole payload is invalid; undefined while it is valid. */
export type Problem = string | undefined;

const TOO_DEEP = `The payload nests deeper than ${MAX_DEPTH} levels.`;
const TOO_MANY = `The payload has more than ${MAX_READINGS} readings.`;
const TOO_MANY_REJECTED = `The payload has more than ${MAX_READINGS} values that cannot be taken.`;

const UNLISTED: Readonly<Record<RejectedSample['reason'], RejectedSample>> = {
  wrongType: { key: '', reason: 'wrongType' },
  badTime: { key: '', reason: 'badTime' },
  unknownPath: { key: '', reason: 'unknownPath' },
};

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Passes every value in or below this one on. The time is undefined when that of the payload is invalid. */
export function walk(
  findings: Findings,
  value: unknown,
  path: string,
  at: number | undefined,
  depth: number,
): Problem {
  if (typeof value !== 'object' || value === null) return take(findings, path, value, at);
  if (depth > MAX_DEPTH) return TOO_DEEP;
  // An empty one is no value but counts, so that a payload cannot contain millions of them.
  if (isEmpty(value)) return reject(findings, path, 'wrongType');
  const lead = leadOf(path, '.');
  return Array.isArray(value)
    ? walkElements(findings, value, lead, at, depth)
    : walkFields(findings, value as JsonObject, lead, at, depth);
}

function isEmpty(container: object): boolean {
  if (Array.isArray(container)) return container.length === 0;
  for (const _key in container) return false;
  return true;
}

/** The prefix of the keys below a path. */
export function leadOf(path: string, separator: '.' | '/'): string {
  // A truncated prefix is still too long for any Variable, and is not copied into every path below.
  return (path.length > LONG_PATH_UNITS ? path.slice(0, LONG_PATH_UNITS) : path) + separator;
}

function walkElements(
  findings: Findings,
  elements: readonly unknown[],
  lead: string,
  at: number | undefined,
  depth: number,
): Problem {
  for (let index = 0; index < elements.length; index += 1) {
    const problem = walk(findings, elements[index], lead + index, at, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Walks through the fields of an object of this depth. */
export function walkFields(
  findings: Findings,
  object: JsonObject,
  lead: string,
  at: number | undefined,
  depth: number,
): Problem {
  for (const key of Object.keys(object)) {
    const problem = walkField(findings, object[key], lead, key, at, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Walks through one field of an object of this depth. */
export function walkField(
  findings: Findings,
  value: unknown,
  lead: string,
  key: string,
  at: number | undefined,
  depth: number,
): Problem {
  if (findings.isSuspect && !isStorable(key)) return reject(findings, lead + key, 'wrongType');
  // Not through walk(): most fields are values, and this call is inlined into the loop.
  return typeof value === 'object' && value !== null
    ? walk(findings, value, lead + key, at, depth + 1)
    : take(findings, lead + key, value, at);
}

function take(findings: Findings, path: string, value: unknown, at: number | undefined): Problem {
  if (!isValue(value)) return reject(findings, path, 'wrongType');
  if (findings.isSuspect && typeof value === 'string' && !isStorable(value)) {
    return reject(findings, path, 'wrongType');
  }
  if (at === undefined) return reject(findings, path, 'badTime');
  if (!isWithin(path, MAX_PATH_LENGTH)) return reject(findings, path, 'unknownPath');
  if (findings.count >= MAX_READINGS) return TOO_MANY;
  findings.count += 1;
  findings.sink.take(path, value, at);
  return undefined;
}

export function reject(
  findings: Findings,
  path: string,
  reason: RejectedSample['reason'],
): Problem {
  if (findings.rejected.length >= MAX_READINGS) return TOO_MANY_REJECTED;
  // A short body can contain very many under a long key.
  const isListed = findings.rejected.length < MAX_LISTED_REJECTIONS;
  findings.rejected.push(
    isListed ? { key: presentable(path, MAX_PATH_LENGTH), reason } : UNLISTED[reason],
  );
  return undefined;
}
