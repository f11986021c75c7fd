import { readFileSync } from 'node:fs';

/** The processor time of one call. */
const CPU_LIMIT_MS = 50;
/** Where the processor time of a thread is not known: the time of a call, on a machine that is busy. */
const ELAPSED_LIMIT_MS = 250;

export const SPENT = `The codec used more than ${CPU_LIMIT_MS} ms of processor time.`;

/** Newer versions of Node have it. */
interface ThreadUsage {
  threadCpuUsage?: () => { readonly user: number; readonly system: number };
}

/** The processor time of this thread; null where the system does not report it. */
function threadCpuMs(): number | null {
  const { threadCpuUsage } = process as ThreadUsage;
  if (threadCpuUsage) {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  }
  try {
    const [nanoseconds = ''] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return Number(nanoseconds) > 0 ? Number(nanoseconds) / 1e6 : null;
  } catch {
    return null;
  }
}

/** Begins a call. The processor time is read only once the call could have spent it. */
export function createTimeLimit(): { readonly isSpent: () => boolean } {
  const began = performance.now();
  const beganCpuMs = threadCpuMs();
  return {
    isSpent() {
      const elapsedMs = performance.now() - began;
      if (elapsedMs < CPU_LIMIT_MS) return false;
      const cpuMs = beganCpuMs === null ? null : threadCpuMs();
      if (cpuMs === null || beganCpuMs === null) return elapsedMs > ELAPSED_LIMIT_MS;
      return cpuMs - beganCpuMs > CPU_LIMIT_MS;
    },
  };
}
