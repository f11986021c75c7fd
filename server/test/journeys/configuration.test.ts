import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldwatch } from '../support/command.ts';
import {
  createDemoSite,
  createWorkspace,
  ON_CALL,
  SECRETS,
  type Workspace,
} from '../support/configuration.ts';
import { rowsIn } from '../support/database.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

let both: Neighbours;
let server: TestServer;
/** An organization that is empty at first. */
let other: TestServer;
let workspace: Workspace;

beforeAll(async () => {
  both = await startNeighbours();
  server = both.server;
  other = both.neighbour;
  workspace = createWorkspace();
  await createDemoSite(server);
  // They have an account already, so that they would have to accept.
  const { password: _, ...body } = ON_CALL;
  const invited = await other.call(operations.createUser, { auth: other.administrator, body });
  expect(invited.status, invited.text).toBe(201);
  await rowsIn(server.databaseUrl, `update memberships set status = 'ACTIVE'`);
});

afterAll(async () => {
  await both.stop();
  workspace.remove();
});

const READINGS = 120;
const NO_CHANGES = 'No changes: the server has what the files say.\n';

describe('the configuration of a whole site', () => {
  it('is the same bytes after it was exported, applied to an empty organization and exported again', async () => {
    const first = await workspace.run(server, 'export', workspace.path('site.yaml'));
    expect(first).toMatchObject({ exitCode: 0, errors: '' });
    const applied = await workspace.run(other, 'apply', workspace.path('site.yaml'));
    expect(applied.errors).toBe('');
    expect(applied.exitCode).toBe(0);
    const second = await workspace.run(other, 'export', workspace.path('copy.yaml'));
    expect(second).toMatchObject({ exitCode: 0, errors: '' });
    expect(workspace.read('copy.yaml')).toBe(workspace.read('site.yaml'));
    const text = workspace.read('site.yaml');
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(text).toMatch(/^# yaml-language-server: \$schema=fieldwatch.schema.json\n/);
  });

  it('shows no drift where it comes from and where it was applied', async () => {
    const source = await workspace.run(server, 'plan', workspace.path('site.yaml'));
    expect(source.exitCode).toBe(0);
    expect(source.output).toMatch(/^No changes: .*\n\d+ records found by name: apply stores/);
    const copy = await workspace.run(other, 'plan', workspace.path('site.yaml'), '--prune');
    expect(copy).toEqual({ exitCode: 0, output: NO_CHANGES, errors: '' });
  });

  it('shows changes made by hand field by field, and apply reverts them', async () => {
    const { items } = (await other.call(operations.listLocations, { query: 'search=Halle' })).body;
    const params = { locationId: items[0].id };
    const body = { name: 'Hall South', latitude: 1, longitude: 2 };
    await other.call(operations.updateLocation, { params, body });
    const [alarm] = (await other.call(operations.searchAlarms, { body: { search: 'Fuel low' } }))
      .body.items;
    await other.call(operations.archiveAlarm, { params: { alarmId: alarm.id } });
    const plan = await workspace.run(other, 'plan', workspace.path('site.yaml'));
    expect(plan).toEqual({
      exitCode: 4,
      errors: '',
      output: [
        '~ change locations/halle-sud',
        '    name: "Hall South" → "Halle „Süd“"',
        '    latitude: 1 → null (default)',
        '    longitude: 2 → null (default)',
        '~ change alarms/fuel-low',
        '    restored from the archive',
        '0 to create, 2 to change, 0 to delete.',
        '',
      ].join('\n'),
    });
    const applied = await workspace.run(other, 'apply', workspace.path('site.yaml'));
    expect(applied).toMatchObject({
      exitCode: 0,
      output: 'changed locations/halle-sud\nchanged alarms/fuel-low\n2 of 2 done.\n',
    });
    const after = await workspace.run(other, 'plan', workspace.path('site.yaml'));
    expect(after).toMatchObject({ exitCode: 0, output: NO_CHANGES });
  });

  it('renames a record under its key, and keeps its id', async () => {
    const idOf = async (search: string) =>
      (await other.call(operations.listDevices, { query: `search=${search}` })).body.items[0]?.id;
    const id = await idOf('Radio');
    workspace.edit('site.yaml', 'name: Radio gateway', 'name: Roof antenna');
    workspace.edit('site.yaml', 'subBand: 2', 'subBand: 3');
    const applied = await workspace.run(other, 'apply', workspace.path('site.yaml'));
    expect(applied.output).toBe('changed devices/radio-gateway\n1 of 1 done.\n');
    expect(await idOf('Roof')).toBe(id);
    workspace.edit('site.yaml', 'name: Roof antenna', 'name: Radio gateway');
    workspace.edit('site.yaml', 'subBand: 3', 'subBand: 2');
    await workspace.run(other, 'apply', workspace.path('site.yaml'));
    expect(await idOf('Radio')).toBe(id);
  });

  it('is written as one file per kind to a folder, which plan reads', async () => {
    const exported = await workspace.run(other, 'export', workspace.path('folder'), '--json');
    const { files, counts } = JSON.parse(exported.output);
    expect(files.map((file: string) => file.slice(workspace.path('folder/').length))).toEqual([
      'locations.yaml',
      'variableFolders.yaml',
      'devices.yaml',
      'webhooks.yaml',
      'rotas.yaml',
      'alarmGroups.yaml',
      'escalationPolicies.yaml',
      'alarms.yaml',
      'assets.yaml',
      'dashboards.yaml',
    ]);
    expect(counts).toMatchObject({ locations: 2, variableFolders: 2, webhooks: 2, dashboards: 2 });
    const plan = await workspace.run(other, 'plan', workspace.path('folder'));
    expect(plan).toMatchObject({ exitCode: 0, output: NO_CHANGES, errors: '' });
  });

  it('lacks Dashboards with an API key, and says so', async () => {
    const exported = await fieldwatch(['export'], workspace.keyOf(other));
    expect(exported.exitCode).toBe(3);
    expect(exported.errors).toMatch(/Dashboards are left out/);
    expect(exported.output).not.toMatch(/^dashboards:/m);
    const plan = await fieldwatch(['plan', workspace.path('site.yaml')], workspace.keyOf(other));
    expect(plan.exitCode).toBe(1);
    expect(plan.errors).toMatch(
      /site\.yaml:\d+:\d+: dashboards\/fuel cannot be read: this needs a user/,
    );
  });

  it('is deleted by --prune alone, after the plan has counted the readings that are lost', async () => {
    const device = (await server.call(operations.listDevices, { query: 'search=Switchboard' })).body
      .items[0];
    const readings = Array.from({ length: READINGS }, (_, index) => ({
      key: 'total.kw',
      value: index,
      timestamp: 1_700_000_000_000 + index,
    }));
    const written = { params: { deviceId: device.id }, body: { dataArray: readings } };
    expect((await server.call(operations.writeReadings, written)).body.stored).toBe(READINGS);
    await workspace.run(server, 'apply', workspace.path('site.yaml'));
    const text = workspace.read('site.yaml');
    const part = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));
    workspace.write('few.yaml', part('locations:', 'devices:') + part('webhooks:', '\nalarms:'));
    const kept = await workspace.run(server, 'plan', workspace.path('few.yaml'));
    expect(kept.exitCode).toBe(0);
    expect(kept.output).toMatch(
      /In no file, and kept without --prune: \d+ records\.\n( {4}\w+\/\S+\n){20} {4}and \d+ more\n$/,
    );
    const pruned = await workspace.run(
      server,
      'plan',
      workspace.path('few.yaml'),
      '--prune',
      '--json',
    );
    const { steps } = JSON.parse(pruned.output);
    const deletion = steps.find((step: { id?: string }) => step.id === device.id);
    expect(deletion).toMatchObject({ action: 'delete', kind: 'devices', readings: READINGS });
    const applied = await workspace.run(server, 'apply', workspace.path('few.yaml'), '--prune');
    expect(applied).toMatchObject({ exitCode: 0, errors: '' });
    expect((await server.call(operations.listDevices)).body.count).toBe(0);
    expect((await server.call(operations.listLocations)).body.count).toBe(2);
    const after = await workspace.run(server, 'plan', workspace.path('few.yaml'), '--prune');
    expect(after).toMatchObject({ exitCode: 0, output: NO_CHANGES });
  });
});
