// VictoriaMetrics as a peer. It acknowledges data in memory, and flushes it a little later.
import { join } from 'node:path';
import { bytesIn, findProgram, freePort, startPrivate, until } from './private-process.mjs';

const SETTLE_LIMIT_MS = 120_000;

async function start(program, dataDir) {
  const port = await freePort();
  const args = [
    `-storageDataPath=${dataDir}`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
    '-loggerLevel=ERROR',
  ];
  return await startPrivate(program, { args, port, healthPath: '/health' });
}

const selector = (variables) => `m_value{v=~"${variables.join('|')}"}`;
const AT_ONCE = ['min', 'max', 'avg', 'count', 'first', 'last'];
const FUNCTIONS = AT_ONCE.map((name) => `"${name}_over_time"`).join(', ');

export const victoriaMetrics = {
  name: 'VictoriaMetrics',
  install: 'apt-get install --no-install-recommends victoria-metrics',
  isInstalled: () => findProgram('victoria-metrics') !== undefined,
  async open(dataDir) {
    const program = findProgram('victoria-metrics');
    let server = await start(program, dataDir);
    const isMerging = async () => !/^vm_active_force_merges 0$/m.test(await server.ask('/metrics'));
    return {
      encode: (readings) =>
        readings
          .map(({ variable, at, value }) => `m,v=${variable} value=${value} ${at}`)
          .join('\n'),
      write: (lines) => server.ask('/write?precision=ms', lines),
      async settle() {
        await server.ask('/internal/force_flush');
        await server.ask('/internal/force_merge');
        await until(async () => !(await isMerging()), SETTLE_LIMIT_MS, 'VictoriaMetrics merging');
        // It writes the data in memory when it stops.
        await server.stop();
        server = await start(program, dataDir);
        return bytesIn(join(dataDir, 'data')) + bytesIn(join(dataDir, 'indexdb'));
      },
      raw(variable, { from, to }) {
        const match = encodeURIComponent(`m_value{v="${variable}"}`);
        return server.ask(`/api/v1/export?match[]=${match}&start=${from / 1e3}&end=${to / 1e3}`);
      },
      buckets(variables, { from, to }, bucketMs) {
        // A window ends at the queried time, inclusive, and excludes its start.
        const [first, last] = [from + bucketMs - 1, to];
        const question = `aggr_over_time((${FUNCTIONS}), ${selector(variables)}[${bucketMs}ms])`;
        const range = `start=${first / 1e3}&end=${last / 1e3}&step=${bucketMs}ms&nocache=1`;
        return server.ask(`/api/v1/query_range?${range}&query=${encodeURIComponent(question)}`);
      },
      countRaw(text) {
        const series = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        return series.reduce((sum, { values }) => sum + values.length, 0);
      },
      countBuckets(text) {
        const counts = JSON.parse(text).data.result.filter(
          ({ metric }) => metric.rollup === 'count_over_time',
        );
        const values = counts.flatMap((each) => each.values.map(([, count]) => Number(count)));
        return { buckets: values.length, readings: values.reduce((sum, each) => sum + each, 0) };
      },
      stop: () => server.stop(),
    };
  },
};
