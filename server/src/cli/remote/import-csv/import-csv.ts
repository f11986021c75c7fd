import { createReadStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, FieldwatchError } from '@fieldwatch/client';
import type { Variable } from '@fieldwatch/contract';
import {
  type Command,
  CommandFailure,
  EXIT,
  type Input,
  type Terminal,
  wrongUsage,
} from '../../command/index.ts';
import { type Connection, connect, explained } from '../connection.ts';
import { CsvReader, type CsvRecord, separatorOf } from './csv.ts';
import { type Mapping, mappingOf, type Reading, readingsOf } from './rows.ts';

/** Far below what the interface takes in one payload: 200 000 readings and 4 MiB. */
const READINGS_PER_CALL = 5_000;
const MAX_CHARACTERS_PER_CALL = 2_000_000;
const MAX_LISTED_PROBLEMS = 100;
const MAX_ATTEMPTS = 6;
const MAX_VARIABLES = 1_000;

function pathsOf(input: Input): Map<string, string> {
  return new Map(
    input.values('--map').map((text) => {
      const equals = text.lastIndexOf('=');
      if (equals < 1) throw wrongUsage(`--map must be column=path, not ${text}.`);
      return [text.slice(0, equals), text.slice(equals + 1)] as const;
    }),
  );
}

interface Source {
  readonly file: string;
  readonly bytes: number;
}

function sourceOf(file: string): Source {
  try {
    return { file, bytes: statSync(file).size };
  } catch {
    throw new CommandFailure(`${file} cannot be read.`);
  }
}

/** The records of the file, with the share of it that is read. */
async function* recordsOf({ file, bytes }: Source): AsyncGenerator<CsvRecord & { share: number }> {
  let reader: CsvReader | undefined;
  let readBytes = 0;
  let first = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const text = String(chunk);
    readBytes += Buffer.byteLength(text);
    let next = text;
    if (!reader) {
      first = `${first}${text}`.replace(/^\uFEFF/, '');
      if (!/[\r\n]/.test(first)) continue;
      reader = new CsvReader(separatorOf(first.split(/[\r\n]/)[0] ?? ''));
      next = first;
    }
    for (const record of reader.read(next)) yield { ...record, share: readBytes / bytes };
  }
  if (reader) for (const record of reader.end()) yield { ...record, share: 1 };
}

/** What an interrupted import has done; beside the file, and removed at its end. */
interface Done {
  readonly bytes: number;
  readonly line: number;
}

const placeOf = (file: string, deviceId: string) => `${file}.${deviceId}.import`;

function readDone(place: string, { bytes }: Source): number {
  try {
    const done = JSON.parse(readFileSync(place, 'utf8')) as Done;
    return done.bytes === bytes && Number.isInteger(done.line) ? done.line : 0;
  } catch {
    return 0;
  }
}

/** Sends readings. Sending them again has no further effect: one Variable and time is one reading. */
async function send(
  { client, organizationId }: Connection,
  deviceId: string,
  dataArray: readonly Reading[],
): Promise<{ stored: number; rejected: readonly { key: string; reason: string }[] }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.writeReadings({ organizationId, deviceId, body: { dataArray } });
    } catch (error) {
      const isPassing =
        error instanceof ConnectionError ||
        (error instanceof FieldwatchError && (error.status === 429 || error.status >= 500));
      if (!isPassing || attempt === MAX_ATTEMPTS) throw error;
      const retryAfterSeconds = (error instanceof FieldwatchError && error.retryAfterSeconds) || 0;
      await sleep(Math.max(retryAfterSeconds * 1000, 500 * 2 ** attempt));
    }
  }
}

interface ImportOptions {
  readonly isDryRun: boolean;
  readonly place: string;
  readonly source: Source;
}

/** One import: collects readings of records, and sends them in batches. */
class Import {
  readonly #connection: Connection;
  readonly #deviceId: string;
  readonly options: ImportOptions;
  readonly problems: string[] = [];
  problemCount = 0;
  readings = 0;
  stored = 0;
  #batch: Reading[] = [];
  #characters = 0;

  constructor(connection: Connection, deviceId: string, options: ImportOptions) {
    this.#connection = connection;
    this.#deviceId = deviceId;
    this.options = options;
  }

  report(problems: readonly string[]): void {
    this.problemCount += problems.length;
    this.problems.push(...problems.slice(0, MAX_LISTED_PROBLEMS - this.problems.length));
  }

  async add(record: CsvRecord, mapping: Mapping): Promise<void> {
    const { readings, problems } = readingsOf(record, mapping);
    this.report(problems);
    this.readings += readings.length;
    if (this.options.isDryRun) return;
    for (const reading of readings) {
      this.#batch.push(reading);
      this.#characters += reading.key.length + String(reading.value).length + 60;
    }
    const isFull =
      this.#batch.length >= READINGS_PER_CALL || this.#characters > MAX_CHARACTERS_PER_CALL;
    if (isFull) await this.flush(record.line);
  }

  async flush(line: number): Promise<void> {
    if (this.#batch.length === 0) return;
    const { stored, rejected } = await send(this.#connection, this.#deviceId, this.#batch);
    this.stored += stored;
    this.report(rejected.map(({ key, reason }) => `up to line ${line}: ${key} is ${reason}`));
    this.#batch = [];
    this.#characters = 0;
    const { place, source } = this.options;
    writeFileSync(place, `${JSON.stringify({ bytes: source.bytes, line })}\n`);
  }
}

async function run(work: Import, input: Input, terminal: Terminal, variables: readonly Variable[]) {
  const { source, place, isDryRun } = work.options;
  const doneLine = isDryRun ? 0 : readDone(place, source);
  let mapping: Mapping | undefined;
  let line = 0;
  for await (const record of recordsOf(source)) {
    if (!mapping) {
      const names = { timeName: input.value('--time-column'), paths: pathsOf(input) };
      const found = mappingOf(record.fields, variables, names);
      if (typeof found === 'string') throw new CommandFailure(`${source.file}: ${found}`);
      mapping = found;
    } else if (record.line > doneLine) {
      terminal.signal().throwIfAborted();
      await work.add(record, mapping);
    }
    line = record.line;
    terminal.progress.update(record.share, `line ${line}`);
  }
  if (!mapping) throw new CommandFailure(`${source.file} has no header.`);
  await work.flush(line);
  if (!isDryRun) rmSync(place, { force: true });
  return { resumedAfterLine: doneLine, ignoredColumns: mapping.ignored };
}

export const runImportCsv: Command['run'] = async (input, terminal) => {
  const [file = ''] = input.args;
  const deviceId = input.value('--device');
  if (deviceId === undefined) throw wrongUsage('Name the Device with --device.');
  const source = sourceOf(file);
  const isDryRun = input.has('--dry-run');
  const connection = connect(input, terminal);
  const { client, organizationId } = connection;
  const work = new Import(connection, deviceId, {
    ...{ isDryRun, source },
    place: placeOf(file, deviceId),
  });
  const outcome = await explained(connection, async () => {
    const query = { take: MAX_VARIABLES };
    const { items } = await client.listDeviceVariables({ organizationId, deviceId, query });
    return await run(work, input, terminal, items);
  }).catch((error: unknown) => {
    if (!terminal.signal().aborted) throw error;
    throw new CommandFailure('Interrupted. Run the same command again to go on.');
  });
  const { readings, stored, problemCount, problems } = work;
  const done = isDryRun
    ? `${readings} readings can be imported; nothing was sent.`
    : `Imported ${readings} readings, ${stored} of them as history.`;
  const { resumedAfterLine, ignoredColumns } = outcome;
  terminal.answer({ isDryRun, readings, stored, problemCount, ...outcome }, [
    ...(resumedAfterLine > 0 ? [`Went on after line ${resumedAfterLine}.`] : []),
    ...(ignoredColumns.length > 0 ? [`Columns left out: ${ignoredColumns.join(', ')}.`] : []),
    done,
  ]);
  for (const problem of problems) terminal.printError(`${file}: ${problem}.`);
  const rest = problemCount - problems.length;
  if (rest > 0) terminal.printError(`There are ${rest} further problems.`);
  return problemCount > 0 ? EXIT.INCOMPLETE : EXIT.OK;
};
