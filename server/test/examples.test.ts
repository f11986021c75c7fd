import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exposition } from '../src/readings/prometheus/exposition.ts';

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

it('the dashboard for Grafana queries metrics that a scrape has', () => {
  const file = new URL('../../examples/grafana/fieldwatch.json', import.meta.url);
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const metrics = panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => /^\w+/.exec(expr)?.[0]),
  );
  const exposed = [1, 'AUTO'].map((value) => {
    const names = { device: 'd', variable: 'v', path: 'p', id: 'i' };
    const none = { unit: null, classification: null, asset: null, location: null };
    return /^fieldwatch_\w+/m.exec(exposition([{ ...names, ...none, value }]))?.[0];
  });
  expect(new Set(metrics)).toEqual(new Set(exposed));
});
