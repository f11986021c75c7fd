// The reports of a data set as batches for the systems, and what a system must have afterwards.

const BATCH_READINGS = 5_000;

/** The readings of one report. */
function readingsOf({ device, at, values }, indexes, stores) {
  const readings = [];
  for (const path in values) {
    const variable = indexes.get(`${device.name} ${path}`);
    const value = values[path];
    if (stores(typeof value)) readings.push({ variable, at, value });
  }
  return readings;
}

/** Reports of one Device together. */
function* batchesOf(reports) {
  const open = new Map();
  for (const { device, readings } of reports) {
    const batch = open.get(device) ?? { device, readings: [] };
    open.set(device, batch);
    for (const reading of readings) batch.readings.push(reading);
    if (batch.readings.length < BATCH_READINGS) continue;
    open.delete(device);
    yield batch;
  }
  yield* open.values();
}

const TYPES = { number: 'NUMBER', boolean: 'BOOLEAN', string: 'STRING' };

/** Makes batches of one system, which may store some types only, and counts what it gets. */
export function createBatches({ data, variables, system }) {
  const indexes = new Map(variables.map(({ device, path }, index) => [`${device} ${path}`, index]));
  const stores = (type) => system.stores(TYPES[type]);
  const counts = variables.map(() => 0);
  const sent = { readings: 0, left: 0 };

  function* counted(fromDay, toDay) {
    for (const report of data.reports(fromDay, toDay)) {
      const readings = readingsOf(report, indexes, stores);
      for (const { variable } of readings) counts[variable] += 1;
      sent.readings += readings.length;
      sent.left += Object.keys(report.values).length - readings.length;
      if (readings.length > 0) yield { device: report.device.name, readings };
    }
  }

  return {
    sent,
    /** The number of readings of a Variable so far. */
    countOf: (variable) => counts[variable],
    indexOf: ({ device, path }) => indexes.get(`${device} ${path}`),
    /** Every report by itself. */
    reports: counted,
    batches: (fromDay, toDay) => batchesOf(counted(fromDay, toDay)),
    batchesOf,
    /** The readings of a Variable on the first day, in the order of time. */
    firstDayOf({ device, path }) {
      const found = [];
      for (const { device: of, at, values } of data.reports(0, 1)) {
        if (of.name === device && path in values) found.push([at, values[path]]);
      }
      return found.sort(([a], [b]) => a - b);
    },
  };
}
