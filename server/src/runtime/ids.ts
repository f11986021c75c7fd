import { randomFillSync, randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes identifiers: UUIDv7, lower case, ascending within the process. */
export type NewId = () => string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** How an id may be stored: those of records are in lower case, that of an API key is as it was given. */
export function idForms(id: string): readonly string[] {
  return isUuid(id) ? [id, id.toLowerCase()] : [id];
}

/** The id of 32 hexadecimal digits. */
export function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * RFC 9562 UUIDv7 with a 12-bit counter behind the millisecond, so that ids made in one process
 * sort in the order in which they were made, also within a millisecond or when the clock steps back.
 */
export function createIds(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  const random = createRandomBlocks();
  return () => {
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      counter = randomInt(256);
    } else {
      counter += 1;
      if (counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
    }
    const tail = random();
    tail[0] = ((tail[0] as number) & 0x3f) | 0x80;
    const time = lastMs.toString(16).padStart(12, '0');
    const sequence = counter.toString(16).padStart(3, '0');
    const rest = tail.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  };
}

const BLOCK_BYTES = 8;
const POOL_BYTES = 512 * BLOCK_BYTES;

/** Random blocks, drawn many at a time: asking the system for each would cost more than the id. */
function createRandomBlocks(): () => Buffer {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += BLOCK_BYTES;
    return pool.subarray(used - BLOCK_BYTES, used);
  };
}
