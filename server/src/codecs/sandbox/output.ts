import type { CodecResult } from '@fieldwatch/contract';
import { isoDateTime, LAST_MOMENT_MS } from '../../runtime/index.ts';
import type { CodecAnswer } from './messages.ts';

type Document = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 16;
const MAX_SAMPLES = 100;
const MAX_LINES = 20;
const MAX_LINE_LENGTH = 500;

/** What a codec returned, once it is checked: the author may have written anything. */
export function resultOf({ output, error, console, durationMs }: CodecAnswer): CodecResult {
  const spent = { console: [...console], durationMs };
  const failed = (text: string): CodecResult => ({
    ...{ data: null, samples: [], errors: [text], warnings: [], ...spent },
  });
  if (error !== null) return failed(error);
  const returned: unknown = output === null ? null : JSON.parse(output);
  const problem = documentProblem(returned, 0);
  if (problem !== null) return failed(problem);
  if (!isDocument(returned)) return failed('decodeUplink must return an object.');
  const warnings = linesOf(returned.warnings);
  const errors = linesOf(returned.errors);
  if (errors.length > 0) return { data: null, samples: [], errors, warnings, ...spent };
  const { data = {}, samples = [] } = returned;
  if (!isDocument(data)) return failed('data must be an object.');
  const read = samplesOf(samples);
  if (typeof read === 'string') return failed(read);
  return { data, samples: read, errors, warnings, ...spent };
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that are none in other programs, and depth that costs whoever reads it. */
function documentProblem(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_DEPTH) return `decodeUplink returned more than ${MAX_DEPTH} levels.`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return 'decodeUplink returned the key __proto__.';
    const problem = documentProblem(inner, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function linesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_LINES).map((each) => String(each).slice(0, MAX_LINE_LENGTH));
}

function samplesOf(value: unknown): CodecResult['samples'] | string {
  if (!Array.isArray(value)) return 'samples must be an array.';
  if (value.length > MAX_SAMPLES) return `samples has more than ${MAX_SAMPLES} items.`;
  const samples = [];
  for (const [index, each] of value.entries()) {
    const { time, data } = Object(each) as { time?: unknown; data?: unknown };
    const at = typeof time === 'string' ? Date.parse(time) : time;
    if (typeof at !== 'number' || !(at >= 0 && at <= LAST_MOMENT_MS)) {
      return `samples[${index}].time must be a time.`;
    }
    if (!isDocument(data)) return `samples[${index}].data must be an object.`;
    samples.push({ time: isoDateTime(at), data });
  }
  return samples;
}
