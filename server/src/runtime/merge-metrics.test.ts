import { expect, it } from 'vitest';
import { mergeMetrics } from './merge-metrics.ts';

const textOf = (nodes: number, seconds: number) => `# HELP nodes How many {nodes} there are
# TYPE nodes gauge
nodes{state="alive, {here}"} ${nodes}

# HELP seconds Time
# TYPE seconds counter
seconds ${seconds}
`;

it('metrics of several processes stand together by name, with the process as a label', () => {
  expect(
    mergeMetrics(
      new Map([
        [1, textOf(2, 0.5)],
        [2, textOf(3, 1e-7)],
      ]),
    ),
  ).toBe(`# HELP nodes How many {nodes} there are
# TYPE nodes gauge
nodes{process="1",state="alive, {here}"} 2
nodes{process="2",state="alive, {here}"} 3

# HELP seconds Time
# TYPE seconds counter
seconds{process="1"} 0.5
seconds{process="2"} 1e-7
`);
});
