// Our history behind the interface of its peers: durable commits, and queries as JSON over HTTP.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { asItems, pageJson } from '../server/dist/readings/api/raw-json.js';
import { systemClock } from '../server/dist/runtime/index.js';
import { openStorage } from '../server/dist/storage/index.js';
import { createAsking } from './private-process.mjs';
import { chartsOf, historyOpener, pagesOf, rawPage } from './sole-node.mjs';
import { log, makeVariables, sizeOf } from './stored-history.mjs';

const MAX_COMPACTION_ROUNDS = 10;

/** Answers each path with the result of the function registered for it. */
async function serve(answers) {
  const server = createServer(async (asked, answer) => {
    const answered = await answers.get(asked.url)();
    const text = answered instanceof Uint8Array ? answered : JSON.stringify(answered);
    answer.setHeader('content-type', 'application/json');
    answer.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export const own = {
  name: 'Fieldwatch',
  isInstalled: () => true,
  async open(dataDir, variableCount) {
    const onProgress = () => undefined;
    const common = { log, clock: systemClock };
    const options = { ...common, databaseUrl: null, dataDir, postgresBin: null, onProgress };
    const storage = await openStorage(options);
    const open = await historyOpener(storage);
    const variables = await makeVariables(storage, variableCount);
    let readings = open();
    await readings.start();
    const answers = new Map();
    const server = await serve(answers);
    const asking = createAsking(server.address().port);
    const ask = (path, answer) => {
      answers.set(path, answer);
      return asking(path);
    };
    const raw = (variable, range) => pagesOf(readings, [variables[variable]], range, 50_000);
    const buckets = (places, range) =>
      chartsOf(
        readings,
        places.map((place) => variables[place]),
        range,
        500,
      );
    return {
      encode: (batch) => batch.map((each) => ({ ...each, variable: variables[each.variable] })),
      write: (batch) => readings.commit(batch),
      async settle() {
        await readings.stop();
        readings = open();
        for (let round = 0; round < MAX_COMPACTION_ROUNDS; round += 1) {
          await readings.compact(variableCount);
        }
        await storage.query('vacuum analyze chunks');
        return await sizeOf(storage, 'chunks');
      },
      raw: (variable, range) =>
        ask('/raw', async () => pageJson(rawPage((await raw(variable, range))[0], ''), asItems)),
      buckets: (places, range) => ask('/buckets', () => buckets(places, range)),
      /** The same without HTTP and JSON. */
      asFunctions: { raw, buckets },
      countRaw: (text) => JSON.parse(text).items.length,
      countBuckets(text) {
        const items = JSON.parse(text).flat();
        return {
          buckets: items.length,
          readings: items.reduce((sum, { count }) => sum + count, 0),
        };
      },
      async stop() {
        server.close();
        server.closeAllConnections();
        await readings.stop();
        await storage.stop();
      },
    };
  },
};
