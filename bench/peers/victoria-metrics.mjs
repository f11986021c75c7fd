// VictoriaMetrics as a peer. It acknowledges data in memory, and flushes it a little later. It stores
// numbers: on and off as 1 and 0, and no texts.
import { join } from 'node:path';
import { bytesIn, findProgram, freePort, startPrivate, until } from '../private-process.mjs';
import { linesOf, measurementOf } from './line-protocol.mjs';

const MERGE_TIMEOUT_MS = 120_000;

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

const FUNCTIONS = ['min', 'max', 'avg', 'count', 'first', 'last']
  .map((name) => `"${name}_over_time"`)
  .join(', ');

export const victoriaMetrics = {
  name: 'VictoriaMetrics',
  install: 'apt-get install --no-install-recommends victoria-metrics',
  isInstalled: () => findProgram('victoria-metrics') !== undefined,
  async open({ dataDir, variables }) {
    const program = findProgram('victoria-metrics');
    let server = await start(program, dataDir);
    const isMerging = async () => !/^vm_active_force_merges 0$/m.test(await server.ask('/metrics'));
    const selector = (asked) =>
      `${measurementOf(variables[asked[0]])}_value{v=~"${asked.join('|')}"}`;
    const encode = (batch) => linesOf(batch, variables);
    return {
      stores: (type) => type !== 'STRING',
      stored: Number,
      encode,
      encodeReport: encode,
      write: (lines) => server.ask('/write?precision=ms', lines),
      async mergeAll() {
        await server.ask('/internal/force_flush');
        await server.ask('/internal/force_merge');
        await until(async () => !(await isMerging()), MERGE_TIMEOUT_MS, 'VictoriaMetrics merging');
        // It writes the data in memory when it stops.
        await server.stop();
        server = await start(program, dataDir);
        return bytesIn(join(dataDir, 'data')) + bytesIn(join(dataDir, 'indexdb'));
      },
      /** Makes acknowledged data visible to queries. */
      flush: () => server.ask('/internal/force_flush'),
      rawForms: ['columns', 'items'],
      raw(variable, { from, to }, form) {
        const match = encodeURIComponent(selector([variable]));
        if (form === 'columns') {
          return server.ask(`/api/v1/export?match[]=${match}&start=${from / 1e3}&end=${to / 1e3}`);
        }
        // The range excludes its start.
        const query = `${match}${encodeURIComponent(`[${to - from + 1}ms]`)}`;
        return server.ask(`/api/v1/query?time=${to / 1e3}&query=${query}`);
      },
      parseRaw(answer, form) {
        const text = String(answer);
        if (text === '') return [];
        if (form === 'columns') {
          const { timestamps, values } = JSON.parse(text);
          return timestamps.map((at, index) => [at, values[index]]);
        }
        const [{ values }] = JSON.parse(text).data.result;
        return values.map(([seconds, value]) => [Math.round(seconds * 1e3), Number(value)]);
      },
      bucketForms: ['columns'],
      buckets(asked, { from, to }, bucketMs) {
        // A window ends at the queried time, inclusive, and excludes its start.
        const [first, last] = [from + bucketMs - 1, to];
        const question = `aggr_over_time((${FUNCTIONS}), ${selector(asked)}[${bucketMs}ms])`;
        const range = `start=${first / 1e3}&end=${last / 1e3}&step=${bucketMs}ms&nocache=1`;
        return server.ask(`/api/v1/query_range?${range}&query=${encodeURIComponent(question)}`);
      },
      countReadings: (answer) =>
        JSON.parse(answer)
          .data.result.filter(({ metric }) => metric.rollup === 'count_over_time')
          .flatMap(({ values }) => values)
          .reduce((sum, [, count]) => sum + Number(count), 0),
      pids: async () => [server.pid],
      async kill() {
        await server.kill();
        server = await start(program, dataDir);
      },
      stop: () => server.stop(),
    };
  },
};
