import type { LiveEvent } from '@fieldwatch/client';
import type { AlarmEvent } from '@fieldwatch/contract';
import { escapeControls, isoDateTime, systemClock } from '../../runtime/index.ts';
import { type Command, EXIT, type Input, type Paint, type Terminal } from '../command/index.ts';
import { type Connection, connect, explained } from './connection.ts';

interface Named {
  readonly name: string;
  readonly deviceName: string;
  readonly unit: string | null;
}

/** The interface takes this many ids in one call. */
const IDS_PER_CALL = 200;
const MAX_NAMES = 100_000;

/** The names of Variables, looked up when they first appear. */
class Names {
  readonly #known = new Map<string, Named | null>();
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async load(ids: readonly string[]): Promise<void> {
    const { client, organizationId } = this.#connection;
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (this.#known.size + unknown.length > MAX_NAMES) this.#known.clear();
    for (let from = 0; from < unknown.length; from += IDS_PER_CALL) {
      const part = unknown.slice(from, from + IDS_PER_CALL);
      const body = { ids: part, take: IDS_PER_CALL };
      const { items } = await client.searchVariables({ organizationId, body });
      for (const id of part) this.#known.set(id, items.find((item) => item.id === id) ?? null);
    }
  }

  of(variableId: string): Named {
    return this.#known.get(variableId) ?? { name: variableId, deviceName: '', unit: null };
  }
}

const time = (epochMs: number) => isoDateTime(epochMs).replace('T', ' ').replace('Z', '');

type AlarmChange = Extract<LiveEvent, { type: 'alarm' }>['data'];

function alarmLine({ change, event }: AlarmChange, at: number, paint: Paint): string {
  const fields: Readonly<Record<string, unknown>> = event;
  const field = (name: keyof AlarmEvent) => escapeControls(String(fields[name] ?? ''));
  const colour = change === 'RAISED' ? paint.red : change === 'CLEARED' ? paint.green : paint.cyan;
  return `${paint.dim(time(at))}  ${colour(`${change} ${field('severity')}`)}  ${field('alarmName')}: ${field('deviceName')}, ${field('deviceVariableName')}, ${field('raisedValue')}`;
}

interface Tail {
  readonly terminal: Terminal;
  readonly names: Names;
  readonly shows: (kind: 'values' | 'alarms') => boolean;
  readonly severities: readonly string[];
}

async function show(event: LiveEvent, tail: Tail): Promise<void> {
  const { terminal, names, shows, severities } = tail;
  const { paint, print, printError, isJson } = terminal;
  const json = (kind: string, data: object) => print(JSON.stringify({ type: kind, ...data }));
  switch (event.type) {
    case 'readings': {
      if (!shows('values')) return;
      await names.load(event.data.map(({ variableId }) => variableId));
      for (const reading of event.data) {
        const { name, deviceName, unit } = names.of(reading.variableId);
        if (isJson) json('reading', { ...reading, deviceName, variableName: name, unit });
        else
          print(
            escapeControls(
              `${time(reading.timestamp)}  ${deviceName}  ${name}  ${reading.value}${unit === null ? '' : ` ${unit}`}`,
            ),
          );
      }
      return;
    }
    case 'alarm': {
      const { severity } = event.data.event as { severity?: unknown };
      if (!shows('alarms')) return;
      if (severities.length > 0 && !severities.includes(String(severity))) return;
      if (isJson) json('alarm', event.data);
      else print(alarmLine(event.data, systemClock.now(), paint));
      return;
    }
    case 'missed':
      printError(`The server dropped ${event.data.values} values: this client is too slow.`);
      return;
    case 'lost':
      printError(
        `The connection is lost; trying again in ${Math.ceil(event.data.retryInMs / 1000)} s.`,
      );
      return;
    default:
  }
}

function filterOf(input: Input) {
  const [deviceIds, variableIds] = [input.values('--device'), input.values('--variable')];
  return {
    ...(deviceIds.length > 0 ? { deviceIds: [...deviceIds] } : {}),
    ...(variableIds.length > 0 ? { variableIds: [...variableIds] } : {}),
  };
}

export const runTail: Command['run'] = async (input, terminal) => {
  const connection = connect(input, terminal);
  const { client, organizationId } = connection;
  const signal = AbortSignal.any([terminal.signal(), terminal.outputClosed]);
  const only = input.value('--only');
  const severities = input.values('--severity');
  const tail: Tail = {
    terminal,
    names: new Names(connection),
    shows: (kind) => (only ?? kind) === kind,
    severities,
  };
  try {
    const follow = { organizationId, query: filterOf(input) };
    await explained(connection, async () => {
      for await (const event of client.followLive(follow, { signal })) await show(event, tail);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return EXIT.OK;
};
