// Preloaded into a server: each SIGUSR2 starts a CPU profile of its thread, or ends it and writes it
// to the file that PROFILE names.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const SAMPLE_EVERY_US = 250;

if (isMainThread) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  let isRunning = false;
  process.on('SIGUSR2', () => {
    if (isRunning) {
      session.post('Profiler.stop', (_, { profile }) =>
        writeFileSync(process.env.PROFILE, JSON.stringify(profile)),
      );
    } else session.post('Profiler.start');
    isRunning = !isRunning;
  });
}
