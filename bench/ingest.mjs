// Readings in over MQTT at QoS 1, acknowledged after the durable commit; beside it the loader's own
// ceiling, the broker with nothing behind it, and the journal alone, all in one run.
// Run `npm run build` first, then `npm run bench -- ingest`, or `ingest:a:b` for some cases.
import { join } from 'node:path';
import {
  acceptedBy,
  killAll,
  load,
  noteCosts,
  organizationId,
  readings,
  SERVER,
  serverEnv,
  start,
} from './measured-load.mjs';
import { countStored, PASSWORD, populate } from './metered-fleet.mjs';
import { KEYS_PER_MESSAGE } from './meters.mjs';
import { startPostgres } from './private-postgres.mjs';
import { familyOf, memoryOf } from './processes.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const { quickHash } = await import('../server/dist/access/secrets/index.js');

const GOAL = { a: 400_000, b: 150_000, spread: 1.5 };

function noteLoad(name, seen, { goal, ceiling } = {}) {
  const goalText = goal ? `goal ${readings(goal)}: ${(seen.rate / goal).toFixed(2)}` : '';
  const ofCeiling = ceiling ? `, ${(seen.rate / ceiling).toFixed(2)} of the loader's ceiling` : '';
  note(name, `${readings(seen.rate)}${ofCeiling}`, goalText);
  noteCosts(seen);
}

async function measure({ withClient, databaseUrl, postmaster, dataDir }, wanted) {
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  const startService = () =>
    start(SERVER, { env: serverEnv(databaseUrl, join(dataDir, 'service')) });
  const costs = (service) => ({
    server: () => [service.pid],
    PostgreSQL: () => familyOf(postmaster),
  });
  /** One load on a server that was just started; all acknowledged readings must be stored. */
  async function run(clients, inFlight, { isCounted }) {
    const service = await startService();
    const groups = costs(service);
    const idle = Object.fromEntries(
      Object.entries(groups).map(([name, pids]) => [name, memoryOf(pids())]),
    );
    const seen = await load({ port: service.port, clients, inFlight }, groups);
    const sent = seen.total * KEYS_PER_MESSAGE;
    const accepted = await acceptedBy(service);
    await service.stop();
    if (accepted !== sent) throw new Error(`${sent} acknowledged, ${accepted} accepted`);
    if (isCounted) {
      const stored = await withClient(countStored);
      note('  acknowledged and stored', `${sent} and ${stored}`);
      if (stored !== sent) throw new Error('what was acknowledged is not what is stored');
    }
    return { ...seen, idle };
  }

  const populated = (gateways, devicesEach) =>
    withClient((client) => populate(client, organizationId, { gateways, devicesEach }));
  await (await startService()).stop();
  let ceiling;
  if (isWanted('a') || isWanted('bare')) {
    const clients = await populated(100, 10);
    const sink = await start('./mqtt-loader.mjs', { args: ['sink'] });
    const bare = await load(
      { port: sink.port, clients, inFlight: 10, seconds: 4 },
      {
        sink: () => [sink.pid],
      },
    );
    await sink.stop();
    ceiling = bare.rate;
    noteLoad('the loader against a bare sink', bare);
    const broker = await start('./bare-broker.mjs', {
      env: {
        ORGANIZATION_ID: organizationId,
        PASSWORD_HASH: quickHash(PASSWORD),
      },
    });
    const ownTopics = clients.map((each) => ({
      ...each,
      topics: each.topics.map(
        (_, place) => `fieldwatch/${organizationId}/${each.username}/${place}`,
      ),
    }));
    const alone = await load(
      { port: broker.port, clients: ownTopics, inFlight: 10, seconds: 4 },
      {
        server: () => [broker.pid],
      },
    );
    await broker.stop();
    noteLoad('the broker with nothing behind it', alone, { ceiling });
    note('the journal alone, rows of 2 000 readings', readings(await withClient(journalAlone)));
    if (isWanted('a')) {
      const seen = await run(clients, 10, { isCounted: true });
      noteLoad('(a) 100 connections × 10 in flight', seen, { goal: GOAL.a, ceiling });
      for (const [name, megabytes] of Object.entries(seen.idle)) {
        note(`(f) memory of ${name}`, `${megabytes} MB idle, ${seen.memory[name]} MB under load`);
      }
    }
  }
  if (isWanted('b')) {
    const clients = await populated(1_000, 1);
    const seen = await run(clients, 1, { isCounted: true });
    noteLoad('(b) 1 000 connections × 1 in flight', seen, { goal: GOAL.b });
  }
  if (isWanted('g')) {
    const micros = [];
    for (const devicesEach of [1, 100, 1_000]) {
      const began = performance.now();
      const clients = await populated(100, devicesEach);
      const seconds = (performance.now() - began) / 1000;
      // Few Variables get several readings within a millisecond, of which the last one is kept.
      const seen = await run(clients, 10, { isCounted: devicesEach > 1 });
      const variables = 1_000 * devicesEach;
      noteLoad(`(g) ${variables} Variables`, seen);
      note('  made in', `${seconds.toFixed(1)} s`);
      for (const [name, megabytes] of Object.entries(seen.memory)) {
        note(`  memory of ${name}`, `${megabytes} MB under load`);
      }
      micros.push((seen.micros.server + seen.micros.PostgreSQL) / KEYS_PER_MESSAGE);
    }
    note(
      '(g) CPU µs a reading at 1 000, 100 000, 1 000 000 Variables',
      micros.map((each) => each.toFixed(2)).join(', '),
      `goal within ${GOAL.spread}: ${(Math.max(...micros) / micros[0]).toFixed(2)}`,
    );
  }
}

/** Rows of the size of batches, two in flight, each committed by itself. */
async function journalAlone(client) {
  const count = 2_000;
  const row = Buffer.alloc(21 * count, 7);
  const statement = 'insert into journal (writer, id, data) values (-1, $1, $2)';
  let id = 0;
  const began = performance.now();
  for (; performance.now() - began < 4_000; id += 2) {
    await Promise.all([id, id + 1].map((each) => client.query(statement, [each, row])));
  }
  const rate = (id * count * 1_000) / (performance.now() - began);
  await client.query('delete from journal where writer = -1');
  return rate;
}

const postgres = await startPostgres();
const stop = stoppedOnSignal(async () => {
  killAll();
  await postgres.stop();
});
try {
  await measure(postgres, process.argv.slice(2));
  if (isAlone()) printTable();
} finally {
  await stop();
}
