// The server as `npm start` runs it, in a process that also reports its own health to the parent:
// the longest time for which one callback kept its event loop busy, its heap and its open descriptors.
//
// A callback is what the event loop calls once, for one timer or one event of a socket, with all
// promises that are continued before the next one. A turn of the loop is no measure: on a machine that
// is busy with other processes, everything that arrived meanwhile is handled in one turn. For the same
// reason the measure is processor time of the main thread.
import { createHook, executionAsyncResource } from 'node:async_hooks';
import { openSync, readdirSync, readSync } from 'node:fs';

const isLinux = process.platform === 'linux';
const schedStat = isLinux ? openSync('/proc/self/schedstat') : undefined;
const text = Buffer.alloc(64);

/** Milliseconds of processor time of the main thread; elsewhere than on Linux, elapsed time. */
function busyMs() {
  if (schedStat === undefined) return performance.now();
  const length = readSync(schedStat, text, 0, text.length, 0);
  return Number.parseInt(text.latin1Slice(0, length), 10) / 1e6;
}

/** Whether this is a continuation of the callback before: a promise, or what `nextTick` was given. */
function isContinuation(resource) {
  return resource instanceof Promise || 'callback' in resource;
}

let previous = busyMs();
let longest = 0;
createHook({
  before() {
    if (isContinuation(executionAsyncResource())) return;
    const now = busyMs();
    longest = Math.max(longest, now - previous);
    previous = now;
  },
}).enable();

process.on('message', (question) => {
  if (question === 'reset') longest = 0;
  if (question !== 'count') {
    globalThis.gc?.();
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const descriptors = isLinux ? readdirSync('/proc/self/fd').length : 0;
  // Collecting garbage on request is not a stall of the server's own.
  previous = busyMs();
  process.send({ longestBlockMs: longest, heapBytes: heapUsed + external, rss, descriptors });
});
process.channel.unref();

await import('../../dist/bundle/main.js');
