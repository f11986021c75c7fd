import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulate } from '../../../simulator/src/index.ts';
import { documented, words } from '../support/documented-commands.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

/** Runs the simulator until it says that; answers its exit code and all that it said. */
async function simulateUntil(pattern: RegExp, ...args: readonly string[]) {
  return simulateAt(server, pattern, () => undefined, ...args);
}

/** Reports each line as it comes, too. */
async function simulateAt(
  server: TestServer,
  pattern: RegExp,
  onLine: (line: string) => void,
  ...args: readonly string[]
) {
  const lines: string[] = [];
  const stop = new AbortController();
  const say = (line: string) => {
    lines.push(line);
    onLine(line);
    if (pattern.test(line)) stop.abort();
  };
  const exitCode = await simulate({
    args: ['--url', server.url, '--mqtt', server.mqttUrl, '--sites', '1', ...args],
    defaults: { organizationId: server.organizationId },
    now: server.clock.now,
    say,
    complain: say,
    signal: stop.signal,
  });
  return { exitCode, output: lines.join('\n') };
}

const asUser = () => ['--user', `${server.adminEmail}:${server.adminPassword}`];
const asKey = () => ['--api-key', atob(server.key.slice('Basic '.length))];
/** The flags of the page. Its fleet of five sites, every ten seconds, would take minutes here. */
const documentedFlags = () => {
  const [, , , , ...flags] = words(documented('docs/simulator.md', 'npm run simulate --'));
  const own = new Map([
    ['$ORGANIZATION_ID', server.organizationId],
    ['$API_KEY_ID:$API_KEY_SECRET', atob(server.key.slice('Basic '.length))],
  ]);
  return [...flags.map((flag) => own.get(flag) ?? flag), '--interval', '900'];
};

async function counts() {
  const lists = [
    operations.listLocations,
    operations.listDevices,
    operations.listVariables,
    operations.listAssets,
    operations.listAlarmGroups,
    operations.searchAlarms,
    operations.listDashboards,
  ] as const;
  const answers = await Promise.all(lists.map((operation) => server.call(operation)));
  return answers.map(({ body }) => body.count as number);
}

describe('the simulator', () => {
  it('makes what it needs once, and finds it again', async () => {
    const first = await simulateUntil(/Ctrl-C stops/, ...asUser());
    expect(first).toMatchObject({ exitCode: 0 });
    const made = await counts();
    expect(made).toEqual([1, 5, 46, 7, 2, 9, 1]);
    const second = await simulateUntil(/Ctrl-C stops/, ...asKey());
    expect(second.output).toContain('Devices: 0 made, 5 found. Alarms: 0 made.');
    expect(await counts()).toEqual(made);
  });

  it('publishes history that is there once, also when it is published twice', async () => {
    const first = await simulateUntil(/Ctrl-C stops/, ...documentedFlags());
    expect(first.output).toMatch(/^[1-9]\d+ readings acknowledged in all\.$/m);
    const { body } = await server.call(operations.listVariables, { query: 'search=Total power' });
    const read = async () =>
      (
        await server.call(operations.listReadings, {
          params: { variableId: body.items[0].id },
        })
      ).body.items as { timestamp: number; value: number }[];
    const before = await read();
    expect(before.length).toBeGreaterThan(140);
    await simulateUntil(/Ctrl-C stops/, ...documentedFlags());
    const times = (await read()).map(({ timestamp }) => timestamp);
    expect(new Set(times).size).toBe(times.length);
    expect(times.length - before.length).toBeLessThan(3);
    const { body: ingest } = await server.call(operations.retrieveDeviceIngest, {
      params: { deviceId: body.items[0].deviceId },
    });
    expect(ingest.lastRejected).toEqual([]);
  });

  it('goes on as time passes', async () => {
    const moved = setInterval(() => server.clock.advance(30_000), 50);
    const { exitCode, output } = await simulateUntil(
      /[1-9]\d+ readings acknowledged, /,
      ...asKey(),
      '--interval',
      '1',
    );
    clearInterval(moved);
    expect(exitCode, output).toBe(0);
  });

  it('ends when another one has replaced its credentials', async () => {
    const moved = setInterval(() => server.clock.advance(1_000), 50);
    const running = simulateUntil(/never/, ...asKey(), '--interval', '1');
    const { body } = await server.call(operations.listDevices, { query: 'search=Gateway' });
    const [{ id: deviceId }] = body.items;
    const isOnline = async () =>
      (await server.call(operations.retrieveDevice, { params: { deviceId } })).body.isOnline;
    await expect.poll(isOnline).toBe(true);
    const rotate = setInterval(
      () => server.call(operations.rotateDeviceCredentials, { params: { deviceId } }),
      200,
    );
    const { exitCode, output } = await running;
    clearInterval(rotate);
    clearInterval(moved);
    expect(exitCode).toBe(1);
    expect(output).toContain('refused the credentials of "Harbour Cold Store: Gateway"');
  });

  it('touches nothing that it did not make', async () => {
    const name = 'Saint Anna Hospital: Generator';
    const { body } = await server.call(operations.createDevice, {
      body: { type: 'CUSTOM_DEVICE', name },
    });
    const before = await counts();
    const { exitCode, output } = await simulateUntil(/Ctrl-C/, ...asKey(), '--sites', '2');
    expect(exitCode).toBe(1);
    expect(output).toContain(`a Device named "${name}" that the simulator did not make`);
    const after = await counts();
    expect(after.slice(1)).toEqual(before.slice(1));
    await server.call(operations.deleteDevice, { params: { deviceId: body.id } });
  });

  it('says what is wrong with flags, credentials and permissions', async () => {
    const flags = await simulateUntil(/never/, '--sites', '0');
    expect(flags.exitCode).toBe(2);
    expect(flags.output).toContain('--sites must be');
    const wrong = await simulateUntil(/never/, '--api-key', 'nobody:wrong');
    expect(wrong.exitCode).toBe(1);
    expect(wrong.output).toContain('UNAUTHENTICATED');
    const key = atob((await server.newKey(['CreateDevice'])).slice('Basic '.length));
    const poor = await simulateUntil(/never/, '--api-key', key);
    expect(poor.exitCode).toBe(1);
    expect(poor.output).toContain('PERMISSION_MISSING');
  });

  it('says that the server has gone away, and can be stopped then', async () => {
    const other = await startServer();
    const moved = setInterval(() => other.clock.advance(1_000), 50);
    let gone: Promise<void> | undefined;
    const { exitCode, output } = await simulateAt(
      other,
      /does not answer/,
      (line) => {
        if (line.includes('Ctrl-C stops')) {
          gone ??= other.stop();
        }
      },
      '--api-key',
      atob(other.key.slice('Basic '.length)),
      '--interval',
      '1',
    );
    clearInterval(moved);
    await gone;
    expect(exitCode).toBe(0);
    expect(output).toContain('readings acknowledged in all.');
  });

  it('waits for a server that is away, and stops when asked to', async () => {
    const { exitCode, output } = await simulateUntil(
      /not ready/,
      ...asKey(),
      '--url',
      'http://127.0.0.1:9',
    );
    expect(exitCode).toBe(0);
    expect(output).toContain('trying again');
  });
});
