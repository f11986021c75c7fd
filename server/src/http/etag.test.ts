import { describe, expect, it } from 'vitest';
import type { Failure } from '../runtime/index.ts';
import { etagOf, isNotModified, precondition } from './etag.ts';

const tag = etagOf(3, '{"name":"a"}');

describe('a tag', () => {
  it('is the same for the same representation and another for any other', () => {
    expect(etagOf(3, '{"name":"a"}')).toBe(tag);
    expect(etagOf(3, '{"name":"b"}')).not.toBe(tag);
    expect(etagOf(4, '{"name":"a"}')).not.toBe(tag);
  });

  it.each([tag, `"x", ${tag}`, `W/${tag}`, '*', ` ${tag} ,"y"`])(
    'is known by If-None-Match: %s',
    (header) => {
      expect(isNotModified(header, tag)).toBe(true);
    },
  );

  it.each([undefined, '', '"x"', tag.slice(1, -1), etagOf(3, 'other')])(
    'is not known by If-None-Match: %s',
    (header) => {
      expect(isNotModified(header, tag)).toBe(false);
    },
  );
});

describe('If-Match', () => {
  it.each([undefined, '*', tag, `"x", ${tag}`, etagOf(3, 'moved by itself')])(
    'lets a change through with %s',
    (header) => {
      expect(() => precondition(header).check(3)).not.toThrow();
    },
  );

  it.each(['', '"x"', etagOf(2, 'a'), etagOf(33, 'a'), `W/${tag}`, 'nonsense'])(
    'stops a change with %s',
    (header) => {
      expect(() => precondition(header).check(3)).toThrow(
        expect.objectContaining({ code: 'PRECONDITION_FAILED' }) as Failure,
      );
    },
  );
});
