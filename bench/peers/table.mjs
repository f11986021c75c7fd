// The measurements of all systems side by side, and ours beside the best of the peers.
import { noteBeside } from '../rows.mjs';
import { engine } from './engine.mjs';
import { fieldwatch } from './fieldwatch.mjs';
import { BUCKETS, MAX_SHORT_DAYS } from './measure.mjs';

const grouped = (value) => Math.round(value).toLocaleString('en').replaceAll(',', ' ');
const FORMATS = {
  rate: (value) => `${grouped(value)}/s`,
  cpu: (value) => `${value.toFixed(2)} µs`,
  bytes: (value) => value.toFixed(2),
  ms: (value) => `${value.toFixed(1)} ms`,
};

const timed = (name, key) => ({ name, kind: 'ms', of: (seen) => seen[key]?.ms, key });

function rowsOf(days) {
  const short = `${Math.min(days, MAX_SHORT_DAYS)} days`;
  return [
    { name: 'readings in over HTTP, 5 000 a request', kind: 'rate', of: (s) => s.batches.rate },
    { name: 'CPU time of a reading, 5 000 a request', kind: 'cpu', of: (s) => s.batches.cpu },
    { name: 'readings in over HTTP, a report a request', kind: 'rate', of: (s) => s.reports?.rate },
    { name: 'CPU time of a reading, a report a request', kind: 'cpu', of: (s) => s.reports?.cpu },
    { name: 'bytes of a reading on disk', kind: 'bytes', of: (s) => s.bytes },
    timed('a day of numbers raw, as columns', 'rawColumns'),
    timed('a day of numbers raw, as items', 'rawItems'),
    timed('a day of on and off raw', 'rawBooleans'),
    timed('a day of texts raw', 'rawTexts'),
    timed(`${short} in ${BUCKETS} buckets`, 'short'),
    timed(`${short} of 8 Variables in ${BUCKETS} buckets`, 'shortAll'),
    timed(`${short} of 8 Variables in ${BUCKETS} buckets, as items`, 'shortAllItems'),
    timed(`${days} days of 8 Variables in ${BUCKETS} buckets`, 'longAll'),
  ];
}

/** A query with the CPU time of the server in brackets. */
function textOf(kind, value, measured) {
  const text = FORMATS[kind](value);
  return measured?.cpuMs === undefined ? text : `${text} (${measured.cpuMs.toFixed(1)})`;
}

const reasonOf = (measured) => measured?.missing ?? '—';

/** How many times as good we are as the best peer: above 1 we are first. */
function beside(kind, own, peers) {
  if (own === undefined || peers.length === 0) return '';
  const ratio = kind === 'rate' ? own / Math.max(...peers) : Math.min(...peers) / own;
  return `${ratio.toFixed(2)} ×`;
}

export function comparisonRows(seen, days) {
  const rows = rowsOf(days).map(({ name, kind, of, key }) => {
    const values = new Map();
    const columns = {};
    for (const [system, measured] of Object.entries(seen)) {
      const value = of(measured);
      const isKnown = Number.isFinite(value) && value > 0;
      if (isKnown) values.set(system, value);
      columns[system] = isKnown ? textOf(kind, value, measured[key]) : reasonOf(measured[key]);
    }
    const peers = [...values.entries()].filter(
      ([system]) => system !== fieldwatch.name && system !== engine.name,
    );
    const comparison = beside(
      kind,
      values.get(fieldwatch.name),
      peers.map(([, value]) => value),
    );
    return { name, columns, comparison, isMeasured: values.size > 0 };
  });
  return [readingsRow(seen), ...rows.filter(({ isMeasured }) => isMeasured)];
}

function readingsRow(seen) {
  const columns = Object.entries(seen).map(([system, { readings, left }]) => [
    system,
    left === 0 ? grouped(readings) : `${grouped(readings)}; ${grouped(left)} texts left out`,
  ]);
  return { name: 'readings', columns: Object.fromEntries(columns), comparison: '' };
}

const ABILITIES = {
  late: 'a reading older than stored ones',
  corrected: 'a second value for the same time',
  survived: 'acknowledged readings after the process was killed',
};

export function noteAbilities(abilities) {
  for (const [key, name] of Object.entries(ABILITIES)) {
    const columns = Object.entries(abilities).map(([system, found]) => [system, found[key]]);
    if (columns.length > 0) noteBeside('what becomes of', name, Object.fromEntries(columns));
  }
}
