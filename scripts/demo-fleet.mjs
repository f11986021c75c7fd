// The fleet of a demo, in a process of its own so that computing it delays no request. It gets its task
// from the server's process, and ends with it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { demonstrate } from '../simulator/dist/index.js';

const stop = new AbortController();
const end = () => stop.abort();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
process.once('disconnect', end);

process.once('message', async ({ server, flags, storyFile }) => {
  process.exitCode = await demonstrate({
    server,
    flags,
    story: existsSync(storyFile) ? JSON.parse(readFileSync(storyFile, 'utf8')) : null,
    keep: (story) => writeFileSync(storyFile, JSON.stringify(story)),
    now: Date.now,
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
    signal: stop.signal,
  });
  if (process.connected) process.disconnect();
});
