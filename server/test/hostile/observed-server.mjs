// The server as `npm start` runs it, in a process that also reports its own health to the parent:
// the longest time for which its event loop was blocked, its heap and its open descriptors.
//
// A block is measured in processor time of the main thread between two ticks of a timer, so that a
// machine that is busy with other processes does not count as a stall of the server.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 5;
const hasSchedStat = process.platform === 'linux';

/** Milliseconds of processor time of the main thread; elsewhere than on Linux, elapsed time. */
function busyMs() {
  if (!hasSchedStat) return performance.now();
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
}

let previous = busyMs();
let longest = 0;
setInterval(() => {
  const now = busyMs();
  longest = Math.max(longest, now - previous);
  previous = now;
}, TICK_MS).unref();

process.on('message', (question) => {
  if (question === 'reset') longest = 0;
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const descriptors = hasSchedStat ? readdirSync('/proc/self/fd').length : 0;
  // Collecting garbage on request is not a stall of the server's own.
  previous = busyMs();
  process.send({ longestBlockMs: longest, heapBytes: heapUsed + external, rss, descriptors });
});
process.channel.unref();

await import('../../dist/bundle/main.js');
