import { Failure } from '../runtime/index.ts';
import { DamagedChunk } from './codec/index.ts';

/** Reports a damaged chunk as a fault of one time range, not of the request or the service. */
export function nameDamage(error: unknown): never {
  if (!(error instanceof DamagedChunk)) throw error;
  throw new Failure(
    'INTERNAL',
    'Part of the history in this range is damaged and cannot be read. Other times can be read; the log names the damaged part.',
    { cause: error },
  );
}
