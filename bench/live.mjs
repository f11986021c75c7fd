// `node bench/live.mjs`: the cost of announcing committed readings, by the number of open streams of the
// organization and by their filters. Needs a build.
import { createLive } from '../server/dist/live/index.js';
import { noteTable } from './rows.mjs';

const BATCH = 5_000;
const SECONDS = 2;
const READINGS_PER_SECOND = 250_000;
const ORGANIZATION = '018f0000-0000-7000-8000-0000000000ee';

const uuid = (number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const log = { debug() {}, error() {} };
// Every Variable of a filter exists.
const storage = {
  query: async (sql, [, ids]) =>
    sql.includes('from variables') ? ids.map((id) => ({ id, deviceId: uuid(1) })) : [],
};
const permissionsIn = () => new Set();

async function measure(variables, streams, asked) {
  const live = createLive({
    storage,
    clock: { now: () => Date.now() },
    log,
    alarms: { newestId: async () => '0', after: async () => [] },
    presenceOf: ({ lastSeenAt }) => ({ isOnline: true, lastSeenAt }),
    saveSeen: async () => undefined,
    onlineMs: 300_000,
  });
  live.start();
  let bytes = 0;
  for (let each = 0; each < streams; each += 1) {
    const caller = { kind: 'USER', id: uuid(each), permissionsIn };
    const query =
      asked === 0 ? {} : { variableIds: Array.from({ length: asked }, (_, at) => uuid(at)) };
    const params = { organizationId: ORGANIZATION };
    const { events } = await live.follow(
      { params, query },
      { caller, readmit: async () => caller },
    );
    events.on('data', (chunk) => {
      bytes += chunk.length;
    });
  }
  const refs = Array.from({ length: variables }, (_, at) => ({
    id: uuid(at),
    deviceId: uuid(at >> 3),
    organizationId: ORGANIZATION,
  }));
  const cpu = process.cpuUsage();
  const began = performance.now();
  let announced = 0;
  let inAnnounce = 0;
  while (announced < SECONDS * READINGS_PER_SECOND) {
    const batch = Array.from({ length: BATCH }, (_, at) => {
      const variable = refs[(announced + at) % variables];
      return { variable, at: announced + at, value: Math.random() };
    });
    const before = performance.now();
    live.announceReadings(batch);
    inAnnounce += performance.now() - before;
    announced += BATCH;
    const due = (announced / READINGS_PER_SECOND) * 1000 - (performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due)));
  }
  const { user, system } = process.cpuUsage(cpu);
  await live.stop();
  const filter = asked === 0 ? 'everything' : `${asked} Variables`;
  noteTable({
    [`${streams} streams of ${filter}, of ${variables} Variables`]: {
      'announce ns/reading': Math.round((inAnnounce * 1e6) / announced),
      'CPU % of a core, all': Math.round((user + system) / (10 * (performance.now() - began))),
      'MB/s sent': Math.round(bytes / 1e4 / ((performance.now() - began) / 1000)) / 100,
    },
  });
}

for (const [variables, streams, asked] of [
  [10_000, 0, 0],
  [10_000, 1, 0],
  [10_000, 20, 0],
  [10_000, 50, 20],
  [100_000, 20, 0],
]) {
  await measure(variables, streams, asked);
}
