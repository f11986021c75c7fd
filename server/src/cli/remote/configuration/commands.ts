import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FieldwatchError } from '@fieldwatch/client';
import {
  type Command,
  CommandFailure,
  counted,
  EXIT,
  type Input,
  type Terminal,
  wrongUsage,
} from '../../command/index.ts';
import { type Connection, connectAsUserOrKey, explained } from '../connection.ts';
import {
  type ActualState,
  applyPlan,
  type Call,
  ChangedMeanwhile,
  type Credentials,
  callsOf,
  readActual,
  StepFailure,
} from './exchange/index.ts';
import {
  configurationSchema,
  desiredRecords,
  loadFiles,
  loadTemplate,
  type Problem,
  printYaml,
  problemText,
  SCHEMA_FILE,
  TOP_KINDS,
} from './files/index.ts';
import { type ConfigRecord, filePath, nameOf } from './model/index.ts';
import { isDrift, planJson, planLines, type Step } from './plan/index.ts';
import { countedPlan, type Desired, referenceProblems } from './planning.ts';

const MAX_LISTED_PROBLEMS = 100;

/** Fails naming every problem, each with its place. */
function requireNone(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_LISTED_PROBLEMS).map(problemText);
  const rest = problems.length - listed.length;
  throw new CommandFailure([
    ...listed,
    ...(rest > 0 ? [`There are ${counted(rest, 'further problem')}.`] : []),
  ]);
}

function desiredOf({ records, problems }: ReturnType<typeof loadFiles>): Desired {
  const desired = desiredRecords(records);
  requireNone([...problems, ...desired.problems]);
  return desired.records;
}

/** Runs work on a server, and ends the session of a user. */
async function connected<T>(
  input: Input,
  terminal: Terminal,
  work: (call: Call, connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = connectAsUserOrKey(input, terminal);
  try {
    return await explained(connection, () => work(callsOf(connection), connection));
  } finally {
    if (connection.isUser) await connection.client.signOut().catch(() => undefined);
  }
}

async function readState(
  call: Call,
  { isUser }: Connection,
  { progress }: Terminal,
): Promise<ActualState> {
  progress.step('Reading the configuration of the server …');
  return await readActual({ call, isUser });
}

async function prepared(
  input: Input,
  terminal: Terminal,
  desired: Desired,
  call: Call,
  connection: Connection,
) {
  const state = await readState(call, connection, terminal);
  requireNone(referenceProblems(desired, state, connection.isUser));
  const found = await countedPlan(call, desired, state, input.has('--prune'));
  requireNone(found.problems);
  return { state, ...found };
}

export const runPlan: Command['run'] = async (input, terminal) => {
  const desired = desiredOf(loadFiles(input.args, terminal.environment));
  return await connected(input, terminal, async (call, connection) => {
    const { counted: found } = await prepared(input, terminal, desired, call, connection);
    terminal.answer(planJson(found), planLines(found, terminal.paint));
    return isDrift(found.plan) ? EXIT.DRIFT : EXIT.OK;
  });
};

const DONE: Readonly<Record<Step['action'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

export const runApply: Command['run'] = async (input, terminal) => {
  const desired = desiredOf(loadFiles(input.args, terminal.environment));
  const keep = credentialsFile(input.value('--credentials'));
  return await connected(input, terminal, async (call, connection) => {
    const { state, counted: found } = await prepared(input, terminal, desired, call, connection);
    const { plan } = found;
    const total = plan.stages.flat().length;
    const done: string[] = [];
    const onStep = (step: Step) => {
      done.push(`${DONE[step.action]} ${nameOf(step)}`);
      terminal.progress.update(done.length / total, nameOf(step));
      if (!terminal.isJson) terminal.print(done.at(-1) ?? '');
    };
    let withheld = 0;
    const onCredentials = (credentials: Credentials) => {
      if (keep) keep(credentials);
      else withheld += 1;
    };
    const signal = terminal.signal();
    const failure = await applyPlan(call, state, plan, { onStep, onCredentials, signal }).then(
      () => undefined,
      (error: unknown) => explainedFailure(error, signal.aborted),
    );
    const keys = plan.adopted.length;
    const reasons = failure?.reasons ?? [];
    terminal.answer({ isComplete: !failure, done, keysStored: keys, failure: reasons }, [
      ...(keys > 0 ? [`${counted(keys, 'key')} stored.`] : []),
      total === 0
        ? 'No changes: the server has what the files say.'
        : `${done.length} of ${total} done.`,
      ...(withheld > 0
        ? [`${counted(withheld, 'secret')} not kept; use --credentials, or issue new ones.`]
        : []),
    ]);
    if (failure) throw failure;
    return EXIT.OK;
  });
};

/** Appends at once, so that no secret is lost by an interruption. Only its owner can read the file. */
function credentialsFile(file: string | undefined) {
  if (file === undefined) return undefined;
  return ({ kind, key, secrets }: Credentials) =>
    appendFileSync(file, `${JSON.stringify({ kind, key, ...secrets })}\n`, { mode: 0o600 });
}

const AGAIN = 'Run the same command again to go on.';

function explainedFailure(error: unknown, isAborted: boolean): CommandFailure {
  const step = error instanceof StepFailure ? error.step : undefined;
  const cause = error instanceof StepFailure ? error.cause : error;
  if (isAborted && !(cause instanceof FieldwatchError)) {
    return new CommandFailure(`Interrupted. ${AGAIN}`);
  }
  const name = step ? nameOf(step) : 'The keys';
  const isChanged = cause instanceof FieldwatchError && cause.code === 'PRECONDITION_FAILED';
  if (isChanged || cause instanceof ChangedMeanwhile) {
    return new CommandFailure(`${name} was changed meanwhile. Run plan again.`);
  }
  if (!(cause instanceof FieldwatchError)) throw cause;
  return new CommandFailure([
    `${name} was refused: ${cause.detail} (${cause.code})`,
    ...cause.errors.map(({ path, message }) => `  ${filePath(path)} ${message}`),
    AGAIN,
  ]);
}

export const runExport: Command['run'] = async (input, terminal) => {
  const [path] = input.args;
  return await connected(input, terminal, async (call, connection) => {
    const { records, notes } = await readState(call, connection, terminal);
    const active = records.filter(({ isArchived }) => !isArchived);
    const files = path === undefined ? [] : writeFiles(path, active);
    const counts = Object.fromEntries(
      [...TOP_KINDS, 'variables'].map((kind) => [
        kind,
        active.filter((record) => record.kind === kind).length,
      ]),
    );
    const text = printYaml(active);
    terminal.answer(
      { counts, files, ...(path === undefined ? { yaml: text } : {}) },
      path === undefined
        ? [text.trimEnd()]
        : [`${counted(active.length, 'record')} written to ${files.join(', ')}.`],
    );
    for (const note of notes) terminal.printError(note);
    if (connection.isUser) return EXIT.OK;
    terminal.printError(
      'Rotas, escalation policies and Dashboards are left out: only a user can read them; see --user.',
    );
    return EXIT.INCOMPLETE;
  });
};

/** One file, or one per kind in a folder; and the JSON Schema beside them. */
function writeFiles(path: string, records: readonly ConfigRecord[]): string[] {
  const isFile = /\.ya?ml$/.test(path);
  const folder = isFile ? dirname(path) : path;
  const texts = isFile
    ? [[path, printYaml(records)] as const]
    : TOP_KINDS.flatMap((kind) => {
        const isOf = (record: ConfigRecord) =>
          record.kind === kind || (kind === 'devices' && record.kind === 'variables');
        const own = records.filter(isOf);
        const file = join(folder, `${kind}.yaml`);
        return own.length > 0 || existsSync(file) ? [[file, printYaml(own)] as const] : [];
      });
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, SCHEMA_FILE), schemaText());
    for (const [file, text] of texts) writeFileSync(file, text);
  } catch (error) {
    throw new CommandFailure(`${path} cannot be written: ${(error as Error).message}`);
  }
  return texts.map(([file]) => file);
}

const schemaText = () => `${JSON.stringify(configurationSchema(), null, 2)}\n`;

export const runSchema: Command['run'] = async (_, { print }) => {
  print(schemaText().trimEnd());
  return EXIT.OK;
};

export const runTemplate: Command['run'] = async (input, terminal) => {
  const [file = ''] = input.args;
  const texts = Object.fromEntries(
    input.values('--set').map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw wrongUsage(`--set must be name=value, not ${text}.`);
      return [text.slice(0, equals), text.slice(equals + 1)] as const;
    }),
  );
  const records = desiredOf(loadTemplate(file, texts, terminal.environment));
  const text = printYaml(records);
  terminal.answer({ yaml: text }, [text.trimEnd()]);
  return EXIT.OK;
};
