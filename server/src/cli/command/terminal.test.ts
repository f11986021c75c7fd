import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

function brokenPipe(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    },
  });
}

it('a command continues after the reader of its output has ended, and reports that', async () => {
  const stdout = brokenPipe();
  const terminal = createTerminal(
    { stdin: new PassThrough(), stdout, stderr: new PassThrough(), onInterrupt: () => undefined },
    {},
    false,
  );
  const closed = once(terminal.outputClosed, 'abort');
  terminal.print('a line');
  await closed;
  terminal.print('another line');
  expect(terminal.outputClosed.aborted).toBe(true);
  expect(terminal.signal().aborted).toBe(false);
});
