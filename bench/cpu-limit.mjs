// Holds processes to a share of a core by control groups of Linux, version 1 or 2.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A short period, so that a process that has used its share is not delayed for long. */
const PERIOD_US = 10_000;

/** Beside other processes, so that the limit decides and not their number. */
const WEIGHT = 16;

const VERSION_1 = {
  root: '/sys/fs/cgroup/cpu',
  limit(group, quotaUs) {
    writeFileSync(join(group, 'cpu.shares'), String(WEIGHT * 1_024));
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
  },
};
const VERSION_2 = {
  root: '/sys/fs/cgroup',
  limit(group, quotaUs) {
    writeFileSync(join(group, 'cpu.weight'), String(WEIGHT * 100));
    writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
  },
};

const groups = new Set();
process.on('exit', () => {
  for (const group of groups) rmdirSync(group);
});

/** Holds a process and all its threads to a share of a core. It must end before this process does. */
export function limitCpu(pid, cores) {
  const { root, limit } = existsSync(join(VERSION_1.root, 'cgroup.procs')) ? VERSION_1 : VERSION_2;
  const group = join(root, `fieldwatch-bench-${pid}`);
  try {
    mkdirSync(group);
    groups.add(group);
    limit(group, cores * PERIOD_US);
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch (error) {
    const needs =
      'This benchmark needs the right to create control groups with a limit of CPU time';
    throw new Error(`${needs} in ${root}: run it as root on Linux.`, { cause: error });
  }
}
