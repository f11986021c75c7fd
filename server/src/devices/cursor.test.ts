import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursors } from './cursor.ts';

const cursors = createCursors(randomBytes(32));
const position = { createdAt: 1_763_195_400_123, id: '018f0000-0000-7000-8000-000000000001' };

describe('a cursor', () => {
  it('comes back as the position that was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8.64e15 }),
        fc.uuid(),
        fc.array(fc.string()),
        (createdAt, id, listing) => {
          const cursor = cursors.write(listing, { createdAt, id });
          expect(cursors.read(listing, cursor)).toEqual({ createdAt, id });
        },
      ),
    );
  });

  it('is worth nothing in another listing or another installation', () => {
    const cursor = cursors.write(['a', 'b'], position);
    expect(cursors.read(['a', 'c'], cursor)).toBeUndefined();
    expect(cursors.read(['ab'], cursor)).toBeUndefined();
    expect(createCursors(randomBytes(32)).read(['a', 'b'], cursor)).toBeUndefined();
  });

  it('is never made of any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(cursors.read([], text)).toBeUndefined();
      }),
    );
  });
});
