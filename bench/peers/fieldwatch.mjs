// Fieldwatch as its users meet it: the built server with its own PostgreSQL, over HTTP with an API key.
import { COLUMNS_MEDIA_TYPE } from '../../contract/dist/index.js';
import { startAskedService } from '../asked-service.mjs';
import { findFleet } from '../fleet-variables.mjs';
import { familyOf } from '../processes.mjs';
import { organizationId, postmasterOf } from '../service.mjs';
import { openEngine, withVariables } from './engine.mjs';

const BASE = `/primary/v1/${organizationId}`;
const JSON_BODY = { 'content-type': 'application/json' };
const ACCEPT = { columns: { accept: COLUMNS_MEDIA_TYPE }, items: {} };
const MAX_RAW = 50_000;

/** Creates Devices, Variables and Alarms. Returns the ids of Devices and of Variables. */
async function provision(ask, { devices, alarms }) {
  const post = async (path, body) =>
    JSON.parse(await ask(`${BASE}${path}`, JSON.stringify(body), JSON_BODY));
  const ids = new Map();
  const keyOf = ({ device, path }) => `${device} ${path}`;
  for (const { name, variables } of devices) {
    const { id: deviceId } = await post('/devices', { type: 'CUSTOM_DEVICE', name });
    ids.set(name, deviceId);
    for (const { path, type, name: label } of variables) {
      const body = { topicPropertyPath: path, type, name: label, isLoggingEnabled: true };
      const { id } = await post(`/devices/${deviceId}/variables`, body);
      ids.set(keyOf({ device: name, path }), id);
    }
  }
  for (const { name, variable, operator, threshold, severity, delaySeconds } of alarms) {
    const kind = { number: 'Number', boolean: 'Boolean', string: 'String' }[typeof threshold];
    await post('/alarms', {
      ...{ name, operator, severity, isActive: true, alarmGroupId: null },
      deviceId: ids.get(variable.device),
      deviceVariableId: ids.get(keyOf(variable)),
      [`thresholdValue${kind}`]: threshold,
      delayProcessingSeconds: delaySeconds,
    });
  }
  return { deviceId: (name) => ids.get(name), variableId: (key) => ids.get(keyOf(key)) };
}

export const fieldwatch = {
  name: 'Fieldwatch',
  isInstalled: () => true,
  async open({ dataDir, devices, alarms, variables }) {
    let service = await startAskedService(dataDir);
    const { deviceId, variableId } = await provision(service.ask, { devices, alarms });
    const ids = variables.map(variableId);
    const pathOf = (name) => `/data/v1/organizations/${organizationId}/devices/${deviceId(name)}`;
    const range = ({ from, to }) => `startTime=${from}&endTime=${to}`;

    /** Does work on the history while the server is stopped. */
    async function withEngine(work) {
      await service.stop();
      const history = await openEngine(dataDir, (storage) => findFleet(storage, organizationId));
      const refs = variables.map(({ device, path }) => history.find(device, path));
      try {
        return await work(history, refs);
      } finally {
        await history.stop();
        service = await startAskedService(dataDir);
      }
    }

    return {
      stores: () => true,
      encode({ device, readings }) {
        const dataArray = readings.map(({ variable, at, value }) => ({
          key: variables[variable].path,
          value,
          timestamp: at,
        }));
        return { path: pathOf(device), body: Buffer.from(JSON.stringify({ dataArray })) };
      },
      encodeReport({ device, readings }) {
        const data = Object.fromEntries(
          readings.map(({ variable, value }) => [variables[variable].path, value]),
        );
        const body = { timestamp: readings[0].at, data };
        return { path: pathOf(device), body: Buffer.from(JSON.stringify(body)) };
      },
      write: ({ path, body }) => service.ask(path, body, JSON_BODY),
      /** The rest of a long history, which would take minutes over HTTP. */
      fill: (batches) =>
        withEngine(async (history, refs) => {
          for (const batch of batches) await history.commit(withVariables(batch, refs));
        }),
      mergeAll: () => withEngine((history, refs) => history.mergedBytes(refs.length)),
      rawForms: ['columns', 'items'],
      raw(variable, asked, form) {
        const path = `${BASE}/devices/variables/${ids[variable]}/readings?${range(asked)}`;
        return service.ask(`${path}&take=${MAX_RAW}`, undefined, ACCEPT[form]);
      },
      parseRaw(answer, form) {
        const { items, columns } = JSON.parse(answer);
        return form === 'items'
          ? items.map(({ timestamp, value }) => [timestamp, value])
          : columns.timestamp.map((at, index) => [at, columns.value[index]]);
      },
      bucketForms: ['columns', 'items'],
      buckets(asked, chart, bucketMs, form) {
        const count = Math.round((chart.to - chart.from + 1) / bucketMs);
        const [first] = asked;
        const path =
          asked.length === 1
            ? `${ids[first]}/readings?`
            : `readings?${asked.map((each) => `ids[]=${ids[each]}&`).join('')}`;
        const query = `${range(chart)}&buckets=${count}`;
        return service.ask(`${BASE}/devices/variables/${path}${query}`, undefined, ACCEPT[form]);
      },
      countReadings(answer, form) {
        const body = JSON.parse(answer);
        const charts = 'variableId' in body ? [body] : body.items;
        const counts = charts.flatMap(({ items, columns }) =>
          form === 'items' ? items.map(({ count }) => count) : columns.count,
        );
        return counts.reduce((sum, count) => sum + count, 0);
      },
      async pids() {
        const postmaster = await postmasterOf(dataDir);
        return [...new Set([service.pid, postmaster].flatMap(familyOf))];
      },
      async kill() {
        await service.kill();
        service = await startAskedService(dataDir);
      },
      stop: () => service.stop(),
    };
  },
};
