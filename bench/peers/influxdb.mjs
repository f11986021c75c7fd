// InfluxDB 1.x as a peer: one measurement, a tag for the Variable, every write flushed to its log.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bytesIn, findProgram, freePort, startPrivate, until } from '../private-process.mjs';
import { linesOf, measurementOf } from './line-protocol.mjs';

const MERGE_TIMEOUT_MS = 120_000;
/** By default it waits ten minutes before it writes idle data, and four hours before it merges. */
const LEFT_ALONE = '10s';

async function start(program, dataDir) {
  const [port, rpcPort] = [await freePort(), await freePort()];
  const env = {
    HOME: dataDir,
    INFLUXDB_BIND_ADDRESS: `127.0.0.1:${rpcPort}`,
    INFLUXDB_HTTP_BIND_ADDRESS: `127.0.0.1:${port}`,
    INFLUXDB_HTTP_LOG_ENABLED: 'false',
    INFLUXDB_META_DIR: join(dataDir, 'meta'),
    INFLUXDB_DATA_DIR: join(dataDir, 'data'),
    INFLUXDB_DATA_WAL_DIR: join(dataDir, 'wal'),
    INFLUXDB_DATA_QUERY_LOG_ENABLED: 'false',
    INFLUXDB_MONITOR_STORE_ENABLED: 'false',
    INFLUXDB_REPORTING_DISABLED: 'true',
    INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION: LEFT_ALONE,
    INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION: LEFT_ALONE,
  };
  const args = ['-config', '/dev/null'];
  return await startPrivate(program, { args, env, port, healthPath: '/ping' });
}

/** One file per shard, and nothing left in the log. */
function isMerged(dataDir) {
  const shards = join(dataDir, 'data', 'bench', 'autogen');
  const log = join(dataDir, 'wal', 'bench');
  const files = (shard) => readdirSync(join(shards, shard)).filter((name) => /\.tsm/.test(name));
  const isOne = (shard) => files(shard).length === 1;
  return (
    existsSync(shards) &&
    (!existsSync(log) || bytesIn(log) === 0) &&
    readdirSync(shards)
      .filter((name) => /^\d+$/.test(name))
      .every(isOne)
  );
}

const within = ({ from, to }) => `time >= ${from}ms and time <= ${to}ms`;

export const influxdb = {
  name: 'InfluxDB',
  install: 'apt-get install --no-install-recommends influxdb',
  isInstalled: () => findProgram('influxd') !== undefined,
  async open({ dataDir, variables }) {
    const program = findProgram('influxd');
    let server = await start(program, dataDir);
    await server.ask(`/query?q=${encodeURIComponent('create database bench')}`, '');
    const query = (text) => server.ask(`/query?db=bench&epoch=ms&q=${encodeURIComponent(text)}`);
    const encode = (batch) => linesOf(batch, variables);
    return {
      stores: () => true,
      encode,
      encodeReport: encode,
      write: (lines) => server.ask('/write?db=bench&precision=ms', lines),
      async mergeAll() {
        await until(() => isMerged(dataDir), MERGE_TIMEOUT_MS, 'InfluxDB merging');
        // Not counted are 32 MiB of series files, which are preallocated and almost empty.
        return bytesIn(join(dataDir, 'data', 'bench', 'autogen'));
      },
      rawForms: ['items'],
      raw(variable, range) {
        const from = measurementOf(variables[variable]);
        return query(`select value from ${from} where v = '${variable}' and ${within(range)}`);
      },
      parseRaw: (answer) => JSON.parse(answer).results[0].series?.[0].values ?? [],
      bucketForms: ['items'],
      buckets(asked, range, bucketMs) {
        const names = asked.map((variable) => `v = '${variable}'`).join(' or ');
        return query(
          `select min(value), max(value), mean(value), count(value), first(value), last(value)
           from ${measurementOf(variables[asked[0]])} where (${names}) and ${within(range)}
           group by v, time(${bucketMs}ms, ${range.from % bucketMs}ms) fill(none)`,
        );
      },
      countReadings: (answer) =>
        JSON.parse(answer)
          .results[0].series.flatMap(({ values }) => values)
          .reduce((sum, row) => sum + row[4], 0),
      pids: async () => [server.pid],
      async kill() {
        await server.kill();
        server = await start(program, dataDir);
      },
      stop: () => server.stop(),
    };
  },
};
