// CPU time and memory of processes, as counted by the kernel. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

/** The process and all its descendants. */
export function familyOf(root) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : null;
    if (stat) parents.set(Number(name), stat.parent);
  }
  const isBelow = (pid) => pid === root || (parents.has(pid) && isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

export function cpuSeconds(pids) {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0) / TICKS_PER_SECOND;
}

/** Processor time that the host of a virtual machine gave to others, since the start of the machine. */
export function stolenSeconds() {
  try {
    const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/ +/);
    return Number(ticks[7]) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Measures the CPU time of processes from now on; one that ends meanwhile no longer counts. */
export function startCpuMeter(pids) {
  const before = pids.map((pid) => cpuSeconds([pid]));
  return () =>
    pids.reduce((sum, pid, index) => sum + Math.max(0, cpuSeconds([pid]) - before[index]), 0);
}

/** Their memory in MB; memory that several share is counted once. */
export function memoryOf(pids) {
  const kilobytes = (pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      return 0;
    }
  };
  return Math.round(pids.reduce((sum, pid) => sum + kilobytes(pid), 0) / 1024);
}
