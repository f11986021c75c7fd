// The same readings and queries on Fieldwatch, VictoriaMetrics and InfluxDB, where these are installed,
// each as a private process on loopback, all over HTTP. Run `npm run build` first, then
// `npm run bench -- peers [--days 30] [--data meters,site]`.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryAbilities } from './peers/abilities.mjs';
import { DATA_SETS, variablesOf } from './peers/data-sets.mjs';
import { engine } from './peers/engine.mjs';
import { fieldwatch } from './peers/fieldwatch.mjs';
import { influxdb } from './peers/influxdb.mjs';
import { measure } from './peers/measure.mjs';
import { comparisonRows, noteAbilities } from './peers/table.mjs';
import { victoriaMetrics } from './peers/victoria-metrics.mjs';
import { isAlone, noteBeside, printTable } from './rows.mjs';
import { stoppedOnSignal } from './stopping.mjs';

const { values: flags } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    data: { type: 'string', default: Object.keys(DATA_SETS).join(',') },
    systems: { type: 'string', default: 'fieldwatch,engine,victoria-metrics,influxdb' },
  },
});
const DAYS = Number(flags.days);
if (!(DAYS >= 2)) throw new Error('--days must be 2 or more');
const SYSTEMS = { fieldwatch, engine, 'victoria-metrics': victoriaMetrics, influxdb };

function chosen(all, names) {
  return names.split(',').map((name) => {
    if (!(name in all)) throw new Error(`${name} is none of ${Object.keys(all).join(', ')}`);
    return all[name];
  });
}

/** Stops the system that runs now, and deletes its files. */
let stopSystem = async () => undefined;
stoppedOnSignal(() => stopSystem());

async function withSystem({ open }, data, work) {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwatch-bench-'));
  await chmod(dataDir, 0o711);
  let system;
  stopSystem = async () => {
    stopSystem = async () => undefined;
    try {
      await system?.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  };
  try {
    system = await open({ dataDir, ...data });
    await work(system);
  } finally {
    await stopSystem();
  }
}

const systems = chosen(SYSTEMS, flags.systems).filter(({ name, install, isInstalled }) => {
  if (!isInstalled()) console.log(`${name} is not installed here; on Debian: ${install}`);
  return isInstalled();
});
const abilities = {};
for (const data of chosen(DATA_SETS, flags.data)) {
  const variables = variablesOf(data);
  const seen = {};
  for (const peer of systems) {
    const { devices, alarms } = data;
    await withSystem(peer, { devices, alarms, variables }, async (system) => {
      console.log(`${peer.name}: ${DAYS} days of ${data.name} …`);
      seen[peer.name] = await measure(system, { data, variables, days: DAYS });
      if (!system.kill || peer.name in abilities) return;
      abilities[peer.name] = await tryAbilities(system, { variables, days: DAYS });
    });
  }
  const group = `${data.name}, ${DAYS} days: ${data.summary}`;
  for (const { name, columns, comparison } of comparisonRows(seen, DAYS)) {
    noteBeside(group, name, columns, comparison);
  }
}
noteAbilities(abilities);
if (isAlone()) printTable();
