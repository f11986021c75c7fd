import { randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes identifiers: UUIDv7, lower case, ascending within the process. */
export type NewId = () => string;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * RFC 9562 UUIDv7 with a 12-bit counter behind the millisecond, so that ids made in one process
 * sort in the order in which they were made, also within a millisecond or when the clock steps back.
 */
export function createIds(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  const random = Buffer.alloc(8);
  return () => {
    const now = clock.now();
    if (now > lastMs) {
      lastMs = now;
      counter = randomBytes(1).readUInt8();
    } else {
      counter += 1;
      if (counter > 0xfff) {
        lastMs += 1;
        counter = 0;
      }
    }
    randomFillSync(random);
    const time = lastMs.toString(16).padStart(12, '0');
    const sequence = counter.toString(16).padStart(3, '0');
    random[0] = ((random[0] as number) & 0x3f) | 0x80;
    const tail = random.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}
