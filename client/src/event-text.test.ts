import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventReader } from './event-text.ts';

const TEXT = [
  'retry: 500\n\n',
  ': a comment\n\n',
  'event: readings\nid: 7\ndata: [1]\n\n',
  'data:x\ndata: y\n\n',
  'event: nothing\n\n',
  'event: crlf\r\ndata: {"a":"b: c"}\r\n\r\n',
].join('');

const EVENTS = [
  { type: 'readings', id: '7', data: '[1]' },
  { type: 'message', id: null, data: 'x\ny' },
  { type: 'crlf', id: null, data: '{"a":"b: c"}' },
];

describe('the text of an event stream', () => {
  it('is read the same wherever it is cut', () => {
    const cuts = fc.array(fc.nat({ max: TEXT.length }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (places) => {
        const read = createEventReader();
        const sorted = [0, ...places.toSorted((a, b) => a - b), TEXT.length];
        const batches = sorted.slice(1).map((end, index) => read(TEXT.slice(sorted[index], end)));
        expect(batches.flatMap(({ events }) => events)).toEqual(EVENTS);
        expect(batches.map(({ retryMs }) => retryMs).filter((each) => each !== null)).toEqual([
          500,
        ]);
      }),
    );
  });

  it('holds no event until its empty line has come', () => {
    const read = createEventReader();
    expect(read('data: x\n').events).toEqual([]);
    expect(read('\n').events).toHaveLength(1);
  });

  it.each(['retry: soon', 'retry: -1', 'retry: 1e3'])('passes over %j', (line) => {
    expect(createEventReader()(`${line}\n\n`)).toEqual({ events: [], retryMs: null });
  });
});
