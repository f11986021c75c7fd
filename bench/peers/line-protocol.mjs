// The line protocol of InfluxDB, which VictoriaMetrics takes too: a measurement for each type, and a tag
// for the Variable.

const MEASUREMENTS = { NUMBER: 'm', BOOLEAN: 'b', STRING: 's' };

export const measurementOf = ({ type }) => MEASUREMENTS[type];

function fieldOf(value) {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

export function linesOf({ readings }, variables) {
  const lines = readings.map(
    ({ variable, at, value }) =>
      `${measurementOf(variables[variable])},v=${variable} value=${fieldOf(value)} ${at}`,
  );
  return Buffer.from(lines.join('\n'));
}
