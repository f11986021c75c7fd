import { PerformanceObserver } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { conventionErrors } from '../../test/support/metric-conventions.ts';
import { createMetrics } from './metrics.ts';

const page = (name: string, type: string, help = 'Help') =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} 1\n`;

describe('the check of metric names', () => {
  it.each([
    [page('readings', 'counter'), 'a counter must end in _total'],
    [page('handles_total', 'gauge'), 'only a counter may end in _total'],
    [page('lag_milliseconds', 'histogram'), 'must be in a base unit'],
    [page('alarms_count', 'gauge'), 'must not end like a series of a histogram'],
    [page('alarms_gauge', 'gauge'), 'must not name its type'],
    [page('alarms', 'gauge', ''), 'must have a help text'],
    [page('Alarms', 'gauge'), 'must be lower case'],
  ])('finds what is wrong in %j', (text, rule) => {
    expect(conventionErrors(text).join()).toContain(rule);
  });

  it('finds nothing wrong with good names', () => {
    const good = page('readings_total', 'counter') + page('lag_seconds', 'histogram');
    expect(conventionErrors(good)).toEqual([]);
  });
});

it('the metrics of the process follow the conventions of Prometheus', async () => {
  const text = await createMetrics().text();
  expect(text).toContain('nodejs_active_handles{');
  expect(conventionErrors(text)).toEqual([]);
});

it('the metrics of a server start no observer, which would keep the server in memory', () => {
  const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
  onTestFinished(() => observe.mockRestore());
  createMetrics();
  expect(observe).not.toHaveBeenCalled();
});
