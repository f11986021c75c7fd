import { spawn } from 'node:child_process';
import { cpuSeconds } from './processes.mjs';
import { note } from './rows.mjs';

/** Work of others on this machine: a process that would use one processor, at normal priority. */
export function startNeighbour() {
  const child = spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(Math.random());'], {
    detached: true,
  });
  const since = performance.now();
  return {
    noteShare() {
      const share = (1_000 * cpuSeconds([child.pid])) / (performance.now() - since);
      note('beside it', `a neighbour process that used ${share.toFixed(2)} of a processor`);
    },
    stop: () => child.kill('SIGKILL'),
  };
}
