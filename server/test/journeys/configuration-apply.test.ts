import { statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fieldwatch, startCommand } from '../support/command.ts';
import { createWorkspace, type Workspace } from '../support/configuration.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

let server: TestOrganization;
let workspace: Workspace;
let environment: Record<string, string>;
let number = 0;
/** The key of a Location that no other test has. */
let site: string;

beforeAll(async () => {
  server = await joinServer();
  workspace = createWorkspace();
  environment = workspace.keyOf(server);
});

afterAll(async () => {
  workspace.remove();
});

beforeEach(() => {
  number += 1;
  site = `site-${number}`;
});

const run = (...args: string[]) => fieldwatch(args, environment);

/** Applies a text, and returns what the command printed. */
async function apply(text: string, ...args: string[]) {
  return await run('apply', workspace.write('a.yaml', text), ...args);
}

const plan = (text: string, ...args: string[]) =>
  run('plan', workspace.write('a.yaml', text), ...args);

async function keys(kinds: string): Promise<{ key: string; resourceId: string }[]> {
  const query = `kinds[]=${kinds}&take=1000`;
  return (await server.call(operations.listManagedResources, { query })).body.items;
}

const idOf = async (kind: string, key: string) =>
  (await keys(kind)).find((each) => each.key === key)?.resourceId ?? '';

async function countOf(search: string): Promise<number> {
  return (await server.call(operations.listLocations, { query: `search=${search}` })).body.count;
}

/** Between the command and the server, so that something happens right before a request. */
async function startProxy(before: (request: IncomingMessage) => Promise<void>) {
  const proxy = createServer(async (request, response) => {
    await before(request);
    const body = await buffer(request);
    const { method = 'GET', url = '', headers } = request;
    const reply = await fetch(server.url + url, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        ['host', 'connection', 'content-length'].includes(name) ? [] : [[name, String(value)]],
      ),
      ...(body.length > 0 ? { body } : {}),
    });
    const etag = reply.headers.get('etag');
    response.writeHead(reply.status, {
      'content-type': reply.headers.get('content-type') ?? '',
      ...(etag === null ? {} : { etag }),
    });
    response.end(await reply.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

describe('fieldwatch apply', () => {
  it('creates nothing twice when it ended before a key was stored', async () => {
    const text = `locations:\n  ${site}: { name: ${site} }\n`;
    expect((await apply(text)).exitCode).toBe(0);
    const created = await idOf('LOCATION', site);
    const drop = { items: [{ kind: 'LOCATION', key: site, resourceId: null }] };
    await server.call(operations.updateManagedResources, { body: drop });
    // Found by another name, so that only the repeated request leads to it.
    const params = { locationId: created };
    await server.call(operations.updateLocation, { params, body: { name: 'Another name' } });
    expect((await apply(text)).output).toBe(`created locations/${site}\n1 of 1 done.\n`);
    expect(await idOf('LOCATION', site)).toBe(created);
    expect((await plan(text)).output).toMatch(/name: "Another name" → /);
  });

  it('creates a record again that was deleted a moment ago', async () => {
    const text = `locations:\n  ${site}: { name: ${site} }\n`;
    for (let time = 0; time < 3; time += 1) {
      expect(await apply(text)).toMatchObject({ exitCode: 0, errors: '' });
      expect(await countOf(site)).toBe(1);
      const params = { locationId: await idOf('LOCATION', site) };
      expect((await server.call(operations.deleteLocation, { params })).status).toBe(204);
    }
  });

  it('names a refused record, and goes on after the file is corrected', async () => {
    const text = (url: string) => `locations:
  ${site}: { name: ${site} }
devices:
  ${site}:
    name: ${site} gateway
    type: LORAWAN_DEVICE
    location: ${site}
    configuration: { devEui: "${url}", appEui: "0011223344556677", appKey: "${'0'.repeat(32)}" }
`;
    const eui = `00000000000000${10 + number}`;
    expect((await apply(text(eui))).exitCode).toBe(0);
    const other = text(eui).replaceAll(`${site}`, `${site}-b`);
    const refused = await apply(other, '--json');
    expect(refused.exitCode).toBe(1);
    expect(refused.errors).toMatch(/^devices\/site-\d+-b was refused: .*\(CONFLICT\)\n/);
    expect(JSON.parse(refused.output)).toMatchObject({
      isComplete: false,
      done: [`created locations/${site}-b`],
    });
    const corrected = await apply(other.replace(eui, eui.replace('00', 'FF')));
    expect(corrected.output).toContain(`created devices/${site}-b\n1 of 1 done.\n`);
  });

  it.each([
    ['reads it again', 'GET'],
    ['changes it', 'PATCH'],
  ])('leaves a record alone that someone changes just before apply %s', async (_, method) => {
    const text = (name: string) => `locations:\n  ${site}: { name: ${name} }\n`;
    await apply(text(site));
    const locationId = await idOf('LOCATION', site);
    const proxy = await startProxy(async (request) => {
      if (request.method !== method || !request.url?.endsWith(locationId)) return;
      const body = { name: 'By hand' };
      await server.call(operations.updateLocation, { params: { locationId }, body });
    });
    const refused = await apply(text('From the file'), '--url', proxy.url);
    await proxy.stop();
    expect(refused).toMatchObject({
      exitCode: 1,
      output: '0 of 1 done.\n',
      errors: `locations/${site} was changed meanwhile. Run plan again.\n`,
    });
    const { body } = await server.call(operations.retrieveLocation, { params: { locationId } });
    expect(body.name).toBe('By hand');
  });

  it('stops after Ctrl-C, and goes on when it is run again', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `  ${site}-${n}: { name: ${site} ${n} }`);
    const text = `locations:\n${many.join('\n')}\n`;
    const file = workspace.write('many.yaml', text);
    const command = startCommand(['apply', file], environment);
    await expect.poll(() => command.output(), { interval: 1 }).toMatch(/created/);
    command.interrupt();
    const { exitCode, errors } = await command.ended;
    expect(errors).toBe('Interrupted. Run the same command again to go on.\n');
    expect(exitCode).toBe(1);
    expect(await countOf(`${site} `)).toBeLessThan(40);
    expect((await run('apply', file)).exitCode).toBe(0);
    expect(await countOf(`${site} `)).toBe(40);
  });

  it('turns a tree upside down', async () => {
    const tree = (a: string, b: string, c: string) =>
      `locations:\n  ${site}-a: { name: A${a} }\n  ${site}-b: { name: B${b} }\n  ${site}-c: { name: C${c} }\n`;
    const under = (key: string) => `, parent: ${site}-${key}`;
    expect((await apply(tree('', under('a'), under('b')))).exitCode).toBe(0);
    const turned = tree(under('b'), under('c'), '');
    expect(await apply(turned)).toMatchObject({ exitCode: 0, errors: '' });
    expect((await plan(turned)).exitCode).toBe(0);
  });

  it('appends the secrets of new records to a file that only its owner can read', async () => {
    const text = `devices:\n  ${site}: { name: ${site} pump, type: CUSTOM_DEVICE }\nwebhooks:\n  ${site}: { name: Log, url: "http://log.example.com/x" }\n`;
    const file = workspace.path('secrets.jsonl');
    const { output } = await apply(text, '--credentials', file);
    const lines = workspace.read('secrets.jsonl').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'devices', key: site, username: await idOf('DEVICE', site) },
      { kind: 'webhooks', key: site, secret: expect.stringMatching(/^whsec_/) },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const line of lines) {
      const { password, secret } = JSON.parse(line);
      expect(output).not.toContain(password ?? secret);
    }
    const unnamed = await apply(text.replaceAll(site, `${site}-b`));
    expect(unnamed.output).toMatch(/2 secrets not kept; use --credentials/);
  });

  it('needs the permissions of what it changes, and says which record was refused', async () => {
    const key = await server.newKey(['ReadAlarmConfigurations', 'ReadAssets', 'ManageWebhooks']);
    const limited = { ...environment, FIELDWATCH_KEY: atob(key.slice('Basic '.length)) };
    const file = workspace.write('a.yaml', `locations:\n  ${site}: { name: ${site} }\n`);
    expect((await fieldwatch(['plan', file], limited)).exitCode).toBe(4);
    const refused = await fieldwatch(['apply', file], limited);
    expect(refused).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(`^locations/${site} was refused: .*ManageLocations`),
    });
  });
});

describe('fieldwatch plan', () => {
  it('refuses references that neither the files nor the server have', async () => {
    const text = `assets:\n  ${site}:\n    name: Pump\n    variables: [nowhere/x]\n`;
    expect(await plan(text)).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringMatching(
        /a\.yaml:4:17: assets\.site-\d+\.variables\[0\] names nowhere\/x, which is neither in the files/,
      ),
    });
  });

  it('refuses references to records that --prune would delete', async () => {
    await apply(`locations:\n  ${site}: { name: ${site} }\n`);
    const text = `assets:\n  ${site}: { name: Pump, location: ${site} }\n`;
    expect((await plan(text)).exitCode).toBe(4);
    const pruned = await plan(text, '--prune');
    expect(pruned.errors).toMatch(/location names site-\d+, which is in no file, and would be del/);
  });

  it('refuses a change of a field that is fixed', async () => {
    const text = (type: string) =>
      `devices:\n  ${site}:\n    name: ${site} pump\n    type: ${type}\n`;
    await apply(text('CUSTOM_DEVICE'));
    const refused = await plan(text('CONTROLCOM_GATEWAY'));
    expect(refused.errors).toMatch(/a\.yaml:2:3: devices\/site-\d+\.type cannot be changed\./);
    expect(refused.exitCode).toBe(1);
  });

  it('never shows a secret', async () => {
    const text = (key: string) =>
      `devices:\n  ${site}:\n    name: ${site} sensor\n    type: LORAWAN_DEVICE\n    configuration: { devEui: AA000000000000${10 + number}, appEui: "0011223344556677", appKey: ${key} }\n`;
    const [old, next] = ['A1'.repeat(16), 'B2'.repeat(16)];
    const created = await plan(text(old));
    await apply(text(old));
    const shown = [created, await plan(text(next)), await plan(text(next), '--json')];
    expect(shown[1]?.output).toContain('configuration.appKey: ******** → (another one)');
    for (const { output } of shown) expect(output).not.toMatch(/A1A1|B2B2/);
  });
});
