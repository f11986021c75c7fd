import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const CLUSTER = fileURLToPath(new URL('../../examples/cluster/', import.meta.url));

it.each(['settings', 'start', 'stop'])(
  'the script %s of the example cluster can be parsed',
  (name) => {
    expect(execFileSync('bash', ['-n', name], { cwd: CLUSTER, encoding: 'utf8' })).toBe('');
  },
);

it('the configuration of HAProxy in the example cluster is valid where HAProxy is installed', () => {
  const { error, status, stderr } = spawnSync('haproxy', ['-c', '-f', 'haproxy.cfg'], {
    cwd: CLUSTER,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, CLUSTER_DIR: '/tmp' },
  });
  if (error) expect(error).toMatchObject({ code: 'ENOENT' });
  else expect([status, stderr]).toEqual([0, expect.not.stringContaining('ALERT')]);
});
