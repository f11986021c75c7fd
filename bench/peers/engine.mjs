// Our history as functions: durable commits and queries, without a server, HTTP and JSON.
import { systemClock } from '../../server/dist/runtime/index.js';
import { openStorage } from '../../server/dist/storage/index.js';
import { insertFleet } from '../fleet-variables.mjs';
import { chartsOf, joinAlone, pagesOf } from '../sole-node.mjs';
import { log, sizeOf } from '../stored-history.mjs';

const MAX_COMPACTION_ROUNDS = 10;
const MAX_RAW = 50_000;

/** The history in a data directory that no server uses meanwhile. */
export async function openEngine(dataDir, findVariables) {
  const onProgress = () => undefined;
  const common = { log, clock: systemClock, onProgress };
  const storage = await openStorage({ ...common, databaseUrl: null, dataDir, postgresBin: null });
  const { open, leave } = await joinAlone(storage);
  const find = await findVariables(storage);
  let readings = open();
  await readings.start();
  return {
    find,
    commit: (batch) => readings.commit(batch),
    raw: (variable, range) => pagesOf(readings, [variable], range, MAX_RAW),
    buckets: (variables, range, count) => chartsOf(readings, variables, range, count),
    /** Flushes and compacts; returns the size of the history with its indexes. */
    async mergedBytes(variables) {
      await readings.stop();
      readings = open();
      for (let round = 0; round < MAX_COMPACTION_ROUNDS; round += 1) {
        await readings.compact(variables);
      }
      await storage.query('vacuum analyze chunks');
      return await sizeOf(storage, 'chunks');
    },
    async stop() {
      await readings.stop();
      await leave();
      await storage.stop();
    },
  };
}

/** The readings of a batch with the Variables that `find` knows. */
export function withVariables({ readings }, variables) {
  return readings.map(({ variable, at, value }) => ({ variable: variables[variable], at, value }));
}

export const engine = {
  name: 'engine alone',
  isInstalled: () => true,
  async open({ dataDir, devices, variables }) {
    const history = await openEngine(dataDir, (storage) => insertFleet(storage, devices));
    const refs = variables.map(({ device, path }) => history.find(device, path));
    return {
      stores: () => true,
      encode: (batch) => withVariables(batch, refs),
      write: history.commit,
      mergeAll: () => history.mergedBytes(refs.length),
      rawForms: ['columns'],
      raw: (variable, range) => history.raw(refs[variable], range),
      parseRaw: ([{ parts }]) =>
        parts.flatMap(({ kind, times, values }) =>
          Array.from(times, (at, index) => [
            at,
            kind === 'BOOLEAN' ? values[index] === 1 : values[index],
          ]),
        ),
      bucketForms: ['columns'],
      buckets: (asked, range, bucketMs) =>
        history.buckets(
          asked.map((variable) => refs[variable]),
          range,
          Math.round((range.to - range.from + 1) / bucketMs),
        ),
      countReadings: (charts) =>
        charts.flatMap((items) => [...items]).reduce((sum, { count }) => sum + count, 0),
      stop: history.stop,
    };
  },
};
