import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  MAX_EXPOSED_VARIABLES,
  MAX_REMOTE_READ_SAMPLES,
  MAX_REMOTE_READ_VARIABLES,
  type Operations,
  type RemoteReadRequest,
} from '@fieldwatch/contract';
import { credentialOf, type Handler } from '../../http/index.ts';
import { createConcurrencyLimit, Failure } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { Columns, StringColumns } from '../columns/index.ts';
import { nameDamage } from '../damage.ts';
import { requireComplete } from '../incomplete.ts';
import type { Readings } from '../readings.ts';
import { LABELS } from './exposition.ts';
import { type LabelMatchers, type Labels, labelMatchers, STATE } from './label-matchers.ts';
import {
  decodeReadRequest,
  type EncodedSeries,
  encodeLabels,
  encodeReadResponse,
  encodeSamples,
  type Samples,
} from './remote-read-messages.ts';
import { decompress, literalBlock } from './snappy.ts';
import { type ExposedVariable, listExposed } from './store.ts';

export interface RemoteReadDeps {
  readonly storage: Queries;
  readonly readings: Pick<Readings, 'openHistory'>;
  readonly maxVariables?: number;
  readonly maxSamples?: number;
}

type Query = RemoteReadRequest['queries'][number];

const MAX_REQUEST_BYTES = 64 * 1024;
/** Each holds its readings in memory, up to 40 MB. */
const MAX_READS = 8;
const MAX_READS_PER_CREDENTIAL = 4;
const RETRY_AFTER_SECONDS = 1;

/** The body of a request: Protocol Buffers, compressed by Snappy. */
export function decodeRemoteReadBody(bytes: Buffer): RemoteReadRequest | undefined {
  const message = decompress(bytes, MAX_REQUEST_BYTES);
  return message && decodeReadRequest(message);
}

/**
 * Remote read: the history of the Variables whose labels match, with the labels that a scrape has. A
 * text is a series for each of its values, with a sample of 1 wherever it was reported.
 */
export function createRemoteReadHandler(
  deps: RemoteReadDeps,
): Handler<Operations['readPrometheusHistory']> {
  const limit = createConcurrencyLimit({ perKey: MAX_READS_PER_CREDENTIAL, inAll: MAX_READS });
  return async ({ params: { organizationId }, body: { queries } }, { caller }) => {
    const credential = credentialOf(caller);
    if (limit.enter(credential) !== 'entered') {
      const detail = `At most ${MAX_READS_PER_CREDENTIAL} remote reads at a time for one credential, and ${MAX_READS} in all.`;
      throw new Failure('TOO_MANY_REQUESTS', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    try {
      return { body: await responseTo(deps, organizationId, queries) };
    } finally {
      limit.leave(credential);
    }
  };
}

async function responseTo(
  deps: RemoteReadDeps,
  organizationId: string,
  queries: readonly Query[],
): Promise<Buffer> {
  const results: (readonly EncodedSeries[])[] = [];
  let room = deps.maxSamples ?? MAX_REMOTE_READ_SAMPLES;
  for (const query of queries) {
    const { series, count } = await seriesOf(deps, organizationId, query, room);
    results.push(series);
    room -= count;
  }
  return literalBlock(encodeReadResponse(results));
}

async function seriesOf(
  deps: RemoteReadDeps,
  organizationId: string,
  query: Query,
  room: number,
): Promise<{ series: readonly EncodedSeries[]; count: number }> {
  const matchers = labelMatchers(query.matchers);
  const variables = await selected(deps, organizationId, query, matchers);
  const range = { from: Math.max(0, query.startTime), to: query.endTime };
  if (variables.length === 0 || range.to < range.from) return { series: [], count: 0 };
  const history = await deps.readings.openHistory(variables, range);
  requireComplete(history);
  const counted = await history.raw(range, 0).catch(nameDamage);
  const count = counted.reduce((sum, page) => sum + page.count, 0);
  if (count > room) {
    const max = deps.maxSamples ?? MAX_REMOTE_READ_SAMPLES;
    throw tooMany(`${max} readings`, 'ask for a shorter time or fewer Variables');
  }
  const pages = await history.raw(range, count).catch(nameDamage);
  const series: EncodedSeries[] = [];
  for (const [index, variable] of variables.entries()) {
    for (const [labels, parts] of labelled(variable, pages[index]?.parts ?? [], matchers)) {
      const encoded = [encodeLabels(sorted(labels))];
      for (const part of parts) {
        encoded.push(encodeSamples(part));
        await nextTurn();
      }
      series.push(encoded);
    }
  }
  return { series, count };
}

/** The Variables that match, whatever their values. */
async function selected(
  { storage, maxVariables = MAX_REMOTE_READ_VARIABLES }: RemoteReadDeps,
  organizationId: string,
  query: Query,
  { matches }: LabelMatchers,
): Promise<ExposedVariable[]> {
  const classification = query.matchers.find(
    ({ name, match, value }) => name === 'classification' && match === 'EQUAL' && value !== '',
  );
  const selection = {
    assetIds: null,
    classificationTypes: classification ? [classification.value] : null,
  };
  const exposed = await listExposed(storage, organizationId, selection, MAX_EXPOSED_VARIABLES + 1);
  if (exposed.length > MAX_EXPOSED_VARIABLES) {
    throw tooMany(`${MAX_EXPOSED_VARIABLES} Variables`, 'select some by the label classification');
  }
  const found = exposed.filter((variable) => matches(labelsOf(variable)));
  if (found.length > maxVariables) {
    throw tooMany(`${maxVariables} Variables`, 'select fewer by their labels');
  }
  return found;
}

function tooMany(what: string, advice: string): Failure {
  return new Failure('CONFLICT', `These are more than ${what}: ${advice}.`);
}

const METRIC = '__name__';

function labelsOf(variable: ExposedVariable): Record<string, string> {
  const labels: Record<string, string> = {
    [METRIC]: variable.type === 'STRING' ? 'fieldwatch_state' : 'fieldwatch_value',
  };
  for (const name of LABELS) if (variable[name]) labels[name] = variable[name];
  return labels;
}

/** The series of one Variable: of a text one for each of its values. */
function* labelled(
  variable: ExposedVariable,
  parts: readonly Columns[],
  matchers: LabelMatchers,
): Generator<readonly [Labels, readonly Samples[]]> {
  const labels = labelsOf(variable);
  const texts = new Map<string, number[]>();
  const numbers: Samples[] = [];
  for (const part of parts) {
    if (part.kind === 'STRING') addTimes(texts, part);
    else numbers.push(part);
  }
  if (numbers.length > 0 && matchers.matchesState('')) yield [labels, numbers];
  for (const [text, times] of texts) {
    if (!matchers.matchesState(text)) continue;
    yield [{ ...labels, ...(text && { [STATE]: text }) }, [{ times, values: times.map(() => 1) }]];
  }
}

function addTimes(texts: Map<string, number[]>, { times, values }: StringColumns): void {
  for (const [index, text] of values.entries()) {
    const known = texts.get(text) ?? [];
    known.push(times[index] as number);
    texts.set(text, known);
  }
}

function sorted(labels: Labels): [string, string][] {
  return Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
}
