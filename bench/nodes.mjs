// Several nodes on one PostgreSQL: how their rate grows, and what a reading costs, when each node has a
// fifth of a core, and PostgreSQL and the loader have the rest.
// Run `npm run build` first, then `npm run bench -- nodes`. Linux, as root.
import { PARTITIONS, startNodes } from './cluster.mjs';
import { limitCpu } from './cpu-limit.mjs';
import {
  acceptedBy,
  killAll,
  load,
  noteCosts,
  organizationId,
  readings,
} from './measured-load.mjs';
import { countStored, populate } from './metered-fleet.mjs';
import { KEYS_PER_MESSAGE } from './meters.mjs';
import { startPostgres } from './private-postgres.mjs';
import { familyOf } from './processes.mjs';
import { isAlone, note, printTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const NODES = [1, 2, 4];
const CORES_PER_NODE = 0.2;
const CLIENTS_PER_NODE = 64;
const LOAD = { warmUpSeconds: 8, seconds: 20 };
/** So many messages per client that processor time is the limit, and not the wait for commits. */
const FASTEST = { ...LOAD, inFlight: 40 };
const EQUAL = { ...LOAD, inFlight: 10 };
/** The equal load of every node, as a part of the rate that one node reaches. */
const EQUAL_LOAD = 0.5;
const GOAL = { growth: { 2: 1.9, 4: 3.6 }, cost: 1.1, wrongNodeCost: 1.4 };

const timesOf = (value, base) => (value / base).toFixed(2);

/** Every Device of a gateway is in the partition of the gateway: one client per partition. */
function clientsOf(gateways, nodes, { isWrong = false } = {}) {
  return nodes.flatMap(({ partitions }, place) => {
    const { port } = nodes[(place + (isWrong ? 1 : 0)) % nodes.length];
    const own = partitions.slice(0, CLIENTS_PER_NODE);
    return own.map((partition) => ({ ...gateways[partition], port }));
  });
}

/** CPU time of a message in all processes of the service. */
const costOf = ({ micros }) => micros.nodes + micros.PostgreSQL;

/** The loads on so many nodes: as fast as possible, and `equalRate` messages a second per node. */
async function measure(postgres, count, equalRate) {
  const { client, postmaster } = postgres;
  const gateways = await populate(client, organizationId, {
    gateways: PARTITIONS,
    devicesEach: 4,
    partitionOf: (gateway) => gateway,
  });
  const nodes = await startNodes(postgres, count);
  for (const { pid } of nodes) limitCpu(pid, CORES_PER_NODE);
  const groups = {
    nodes: () => nodes.map(({ pid }) => pid),
    PostgreSQL: () => familyOf(postmaster),
  };
  const fastest = await load({ ...FASTEST, clients: clientsOf(gateways, nodes) }, groups);
  const rate = equalRate ?? (EQUAL_LOAD * fastest.messages) / fastest.seconds;
  const runEqual = (clients) =>
    load({ ...EQUAL, clients, messagesPerSecond: rate * count }, groups);
  const equal = await runEqual(clientsOf(gateways, nodes));
  const wrong = count > 1 ? await runEqual(clientsOf(gateways, nodes, { isWrong: true })) : null;
  const sent = [fastest, equal, wrong].reduce((sum, each) => sum + (each?.total ?? 0), 0);
  const accepted = await Promise.all(nodes.map(acceptedBy));
  await Promise.all(nodes.map(({ stop }) => stop()));
  const stored = await countStored(client);
  const acknowledged = sent * KEYS_PER_MESSAGE;
  note(`${count} nodes: acknowledged and stored`, `${acknowledged} and ${stored}`);
  if (accepted.reduce((sum, each) => sum + each, 0) !== acknowledged || stored !== acknowledged)
    throw new Error('what was acknowledged is not what is stored');
  return { count, fastest, equal, wrong, rate };
}

function report({ count, fastest, equal, wrong }, first) {
  const growth = timesOf(fastest.rate, first.fastest.rate);
  const goal = GOAL.growth[count];
  note(
    `${count} nodes of ${CORES_PER_NODE} core, each client at the owner of its Devices`,
    readings(fastest.rate),
    goal ? `goal ${goal} ×: ${growth}` : '',
  );
  noteCosts(fastest);
  const cost = `goal within ${GOAL.cost} ×: ${timesOf(costOf(equal), costOf(first.equal))}`;
  note(`${count} nodes at an equal load per node`, readings(equal.rate), count > 1 ? cost : '');
  noteCosts(equal);
  if (!wrong) return;
  note(
    `${count} nodes at the same load, no client at the owner`,
    readings(wrong.rate),
    `goal within ${GOAL.wrongNodeCost} ×: ${timesOf(costOf(wrong), costOf(equal))}`,
  );
  noteCosts(wrong);
}

const wanted = process.argv.slice(2).map(Number);
const postgres = await startPostgres();
const stop = stoppedOnSignal(async () => {
  killAll();
  await postgres.stop();
});
try {
  await Promise.all((await startNodes(postgres, 1)).map((node) => node.stop()));
  let first;
  for (const count of NODES) {
    if (count > 1 && wanted.length > 0 && !wanted.includes(count)) continue;
    const seen = await measure(postgres, count, first?.rate);
    first ??= seen;
    report(seen, first);
  }
  if (isAlone()) printTable();
} finally {
  await stop();
}
