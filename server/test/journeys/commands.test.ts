import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rename, rm, symlink } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Checkout, makeCheckout, type Run } from '../support/checkout.ts';
import {
  documented,
  readPage,
  type Substitutions,
  substituted,
  withoutNpm,
  words,
} from '../support/documented-commands.ts';
import { createTestDatabase, POSTGRES_SETTING } from '../support/postgres.ts';

const LOOPBACK = {
  FIELDWATCH_HTTP_HOST: '127.0.0.1',
  FIELDWATCH_HTTP_PORT: '0',
  FIELDWATCH_MQTT_PORT: '0',
};
const START_LIMIT_MS = 120_000;
const NIGHTLY = documented('docs/backing-up.md', '15 3 * * *');
const NIGHTLY_IN_CHECKOUT: Substitutions = [
  ['cd /srv/fieldwatch', 'cd .'],
  ['/backups', '.'],
];
/** The page restores once for use and once as a trial: the same, except for the directory and ports. */
const RESTORE = documented(
  'docs/backing-up.md',
  'FIELDWATCH_DATA_DIR=/tmp/restored npm run restore',
);
const START_RESTORED = documented(
  'docs/backing-up.md',
  'FIELDWATCH_DATA_DIR=/tmp/restored FIELDWATCH_HTTP_PORT=0',
);
const START = withoutNpm(documented('docs/running.md', 'npm start'));
const IN_USE: Substitutions = [
  ['/tmp/restored', '/srv/fieldwatch-new'],
  [' FIELDWATCH_HTTP_PORT=0 FIELDWATCH_MQTT_PORT=0', ''],
];
const IN_CHECKOUT: Substitutions = [['/tmp/restored', 'restored']];

let checkout: Checkout;

beforeAll(async () => {
  checkout = await makeCheckout();
});

afterAll(async () => {
  await checkout.remove();
});

/** A command of a page, in the checkout. */
function start(command: string, settings: Readonly<Record<string, string>> = {}): Run {
  return checkout.start('bash', ['-c', command], settings);
}

/** As cron runs a line: without the times, and with its percent signs unescaped. */
const asCron = (line: string) => line.replace(/^(?:\S+ ){5}/, '').replaceAll('\\%', '%');

/** The printed command as it stands, asked for nothing but the status. */
async function statusOf(command: string): Promise<string> {
  const options = "-s -o /dev/null -w '%{http_code}'";
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${command} ${options}`]);
  return stdout;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The program of the package that `npm pack` makes, with the dependencies of the checkout. */
async function unpackedProgram(): Promise<string> {
  // Its script would build, and everything is built.
  const pack = documented('docs/running.md', 'npm pack');
  const packed = await start(`${pack} --ignore-scripts --silent`).ended;
  const file = packed.output.trim();
  expect(readPage('docs/running.md')).toContain(`npx ./${file} `);
  expect((await checkout.start('tar', ['-xzf', file]).ended).exitCode).toBe(0);
  await symlink('../node_modules', join(checkout.path, 'package/node_modules'));
  return './package/bin/fieldwatch.mjs';
}

async function expectOrderlyEnd(run: Run, stop: () => void): Promise<void> {
  const postgres = await checkout.postgresPid();
  expect(postgres).not.toBeNull();
  stop();
  const { exitCode, output } = await run.ended;
  expect(output).toContain('Stopping');
  expect(exitCode).toBe(0);
  expect(isAlive(postgres ?? 0)).toBe(false);
  expect(await checkout.postgresPid()).toBeNull();
}

/** In this order: each start finds what the one before it left. */
describe('npm start', () => {
  let organizationId: string | undefined;

  async function expectSameInstallation(run: Run): Promise<void> {
    const output = await run.until('/docs');
    expect(output).not.toMatch(/Making|Password|secret/);
    expect(/Organization +(\S+)/.exec(output)?.[1]).toBe(organizationId);
    const page = await fetch(/ready at (\S+)/.exec(output)?.[1] ?? '');
    expect(await page.text()).toContain('<title>Fieldwatch</title>');
    run.signal('SIGTERM');
    expect((await run.ended).exitCode).toBe(0);
  }

  it(
    'builds what is not built, starts, and prints an address, credentials and a curl that works',
    async () => {
      // Building the rest as well would prove no more: `npm test` does, in a new clone.
      await rm(join(checkout.path, 'site/dist'), { recursive: true });
      const run = start(documented('README.md', 'npm start'), LOOPBACK);
      const output = await run.until('/devices');
      expect(output).toContain('Building');
      expect(output).toMatch(/ready at http:\/\/127\.0\.0\.1:\d+/);
      expect(output).toMatch(/Password {7}\S{20,}/);
      expect(output).toMatch(/API key {8}\S+/);
      organizationId = /Organization +(\S+)/.exec(output)?.[1];
      const command = /curl .*/.exec(output)?.[0] ?? '';
      expect(command).toContain(organizationId);
      expect(await statusOf(command)).toBe('200');
      await expectOrderlyEnd(run, () => run.signal('SIGTERM'));
    },
    START_LIMIT_MS,
  );

  it(
    'builds nothing and shows no secret the second time, and ends in order on Ctrl-C',
    async () => {
      const run = start(documented('docs/running.md', 'npm start'), LOOPBACK);
      const output = await run.until('/docs');
      expect(output).not.toMatch(/Installing|Building|Making|Password|secret|curl/);
      expect(/Organization +(\S+)/.exec(output)?.[1]).toBe(organizationId);
      // Beside the running server.
      const backup = await start(substituted(asCron(NIGHTLY), NIGHTLY_IN_CHECKOUT)).ended;
      expect(backup.output).toMatch(/Backed up \d+ rows/);
      expect(backup.exitCode).toBe(0);
      const today = new Date().toLocaleDateString('sv');
      await rename(
        join(checkout.path, `fieldwatch-${today}.backup`),
        join(checkout.path, 'fieldwatch.backup'),
      );
      await expectOrderlyEnd(run, () => run.signalAll('SIGINT'));
    },
    START_LIMIT_MS,
  );

  it('is backed up by hand by the command that cron runs', () => {
    const byHand = substituted(asCron(NIGHTLY), [
      ['cd /srv/fieldwatch && ', ''],
      ['"/backups/fieldwatch-$(date +%F).backup"', 'fieldwatch.backup'],
    ]);
    expect(byHand).toBe(documented('docs/backing-up.md', 'npm run backup -- fieldwatch.backup'));
  });

  it('leaves a data directory that can be copied while the server is stopped', async () => {
    // How well it is compressed proves nothing.
    const fast = { GZIP: '-1' };
    const command = documented('docs/backing-up.md', 'tar --create');
    const { exitCode, output } = await start(command, fast).ended;
    expect(exitCode, output).toBe(0);
    const listed = await start('tar --list --file fieldwatch-data.tar.gz').ended;
    expect(listed.output.split('\n')).toContain('data/secret.key');
    expect(listed.output.split('\n')).toContain('data/postgres/cluster/PG_VERSION');
  });

  it(
    'goes on from a backup that was restored to a new directory, and so does the package',
    async () => {
      const settings = { ...LOOPBACK, FIELDWATCH_DATA_DIR: 'restored' };
      const restored = await start(withoutNpm(substituted(RESTORE, IN_CHECKOUT))).ended;
      expect(restored.output).toMatch(/Restored \d+ rows/);
      expect(restored.exitCode).toBe(0);
      const fieldwatch = await unpackedProgram();
      for (const run of [
        () =>
          start(withoutNpm(substituted(START_RESTORED, IN_CHECKOUT)), {
            FIELDWATCH_HTTP_HOST: '127.0.0.1',
          }),
        () =>
          checkout.start(
            fieldwatch,
            words(documented('docs/running.md', 'fieldwatch')).slice(1),
            settings,
          ),
      ]) {
        await expectSameInstallation(run());
      }
    },
    START_LIMIT_MS,
  );

  it('is restored for use by the commands that restore it as a trial', () => {
    expect([RESTORE, START_RESTORED].map((each) => substituted(each, IN_USE))).toEqual([
      documented('docs/backing-up.md', 'FIELDWATCH_DATA_DIR=/srv/fieldwatch-new npm run restore'),
      documented('docs/backing-up.md', 'FIELDWATCH_DATA_DIR=/srv/fieldwatch-new npm start'),
    ]);
  });

  it('begins a new installation with an existing key when asked to', async () => {
    const database = await createTestDatabase();
    const settings = { ...LOOPBACK, DATABASE_URL: database.url };
    const run = start(withoutNpm(documented('docs/backing-up.md', 'npm start -- --new')), settings);
    const output = await run.until('/devices');
    expect(/Organization +(\S+)/.exec(output)?.[1]).not.toBe(organizationId);
    run.signal('SIGTERM');
    expect((await run.ended).exitCode).toBe(0);
    await database.drop();
  });

  it(
    'says that the port is in use, and exits with 1 and without a PostgreSQL left behind',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const settings = { ...LOOPBACK, FIELDWATCH_HTTP_PORT: String(port) };
      const { exitCode, output } = await start(START, settings).ended;
      other.close();
      expect(output).toMatch(new RegExp(`^FIELDWATCH_HTTP_PORT.*${port}.*\\.$`, 'm'));
      expect(exitCode).toBe(1);
      expect(await checkout.postgresPid()).toBeNull();
    },
    START_LIMIT_MS,
  );

  it('lists every wrong setting on a line of its own, and exits with 1', async () => {
    const { exitCode, output } = await start(START, {
      FIELDWATCH_HTTP_PORT: 'http',
      FIELDWATCH_LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://localhost',
    }).ended;
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^FIELDWATCH_HTTP_PORT .*\.$/m);
    expect(output).toMatch(/^FIELDWATCH_LOG_LEVEL .*\.$/m);
    expect(output).toMatch(/^DATABASE_URL .*\.$/m);
  });
});

describe('npm test', () => {
  it(
    'narrows to what it is given, and ends with true counts alone on the last line',
    async () => {
      const args = ['test', '--', 'server/src/http/etag.test.ts'];
      const settings = { [POSTGRES_SETTING]: inject('postgresUrl') };
      const { exitCode, output } = await checkout.start('npm', args, settings).ended;
      const [, passed, failed] = /\n(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
      const tests = Number(/Tests {2}(\d+) passed \(\1\)/.exec(output)?.[1]);
      expect(tests).toBeGreaterThan(0);
      expect([Number(passed), Number(failed), exitCode]).toEqual([tests, 0, 0]);
    },
    START_LIMIT_MS,
  );
});
