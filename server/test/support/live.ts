import { onTestFinished } from 'vitest';
import type { IngestCalls } from './ingest-calls.ts';
import type { TestOrganization } from './server.ts';

export interface LiveEvent {
  readonly type: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  readonly data: any;
}

/** An open stream and what has come over it so far. */
export interface Followed {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly LiveEvent[];
  /** All text so far, with what is no event too. */
  text(): string;
  /** The first event that fits, once it has come; fails when the stream ends without. */
  until(fits: (event: LiveEvent) => boolean): Promise<LiveEvent>;
  /** Resolves when the stream is over, however it ended. */
  readonly over: Promise<void>;
  leave(): void;
}

export interface Following {
  readonly auth?: string;
  readonly query?: string;
  readonly lastEventId?: string;
}

/** Opens a stream over a real socket and reads it until the test ends. */
export async function follow(
  { url, organizationId, key }: Pick<TestOrganization, 'url' | 'organizationId' | 'key'>,
  { auth = key, query = '', lastEventId }: Following = {},
): Promise<Followed> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${url}/primary/v1/${organizationId}/live?${query}`, {
    headers: {
      authorization: auth,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: leaving.signal,
  });
  return { ...read(response), leave: () => leaving.abort() };
}

function read(response: Response) {
  const events: LiveEvent[] = [];
  const listeners = new Set<() => void>();
  let text = '';
  let isOver = false;
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  const pull = async () => {
    let rest = '';
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      const more = Buffer.from(chunk).toString('latin1');
      text += more;
      const blocks = (rest + more).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.flatMap(parsed));
      notifyListeners();
    }
  };
  const over = pull()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      notifyListeners();
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    over,
    until: (fits: (event: LiveEvent) => boolean) =>
      new Promise<LiveEvent>((resolve, reject) => {
        const look = () => {
          const found = events.find(fits);
          if (!found && !isOver) return;
          listeners.delete(look);
          if (found) resolve(found);
          else reject(new Error(`the stream ended without it:\n${text}`));
        };
        listeners.add(look);
        look();
      }),
  };
}

function parsed(block: string): LiveEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ');
      return [name, rest.join(': ')];
    }),
  );
  const type = fields.get('event');
  if (type === undefined) return [];
  return [{ type, id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') }];
}

/** Every value that came, in order, as `[variableId, value]`. */
export function valuesIn(events: readonly LiveEvent[]): [string, unknown][] {
  return events
    .filter(({ type }) => type === 'readings')
    .flatMap(({ data }) =>
      data.map(({ variableId, value }: { variableId: string; value: unknown }) => [
        variableId,
        value,
      ]),
    );
}

/** A `readings` event that holds the value. */
export const holds =
  (variableId: string, value: unknown) =>
  ({ type, data }: LiveEvent): boolean =>
    type === 'readings' &&
    data.some(
      (item: { variableId: string; value: unknown }) =>
        item.variableId === variableId && item.value === value,
    );

/** A Device with Variables at these paths. */
export async function fleetOf(calls: IngestCalls, ...paths: string[]) {
  const { id, onlineVariableId } = await calls.newDevice();
  const variables: Record<string, string> = {};
  for (const path of paths) variables[path] = await calls.newVariable(id, path);
  return { id, onlineVariableId, of: (path: string) => variables[path] ?? '' };
}
