/**
 * A server's storage as it is built, in a process of its own, for tests that kill it.
 * Arguments: what to do, and the options as JSON. It writes one line per event.
 */
import { createLog, StartFailure, systemClock } from '../../dist/bundle/runtime.js';
import { openStorage } from '../../dist/bundle/storage.js';

const [task = 'hold', given = '{}'] = process.argv.slice(2);
const { migrationsDir, ...settings } = JSON.parse(given);

const say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Reports each number once its commit has been reported. */
async function write(storage) {
  await storage.query('CREATE TABLE IF NOT EXISTS written (n integer PRIMARY KEY)');
  for (;;) {
    const rows = await storage.transaction((tx) =>
      tx.query('INSERT INTO written SELECT coalesce(max(n), 0) + 1 FROM written RETURNING n'),
    );
    say(`wrote ${rows[0]?.n}`);
  }
}

try {
  const storage = await openStorage({
    ...settings,
    postgresBin: null,
    migrationsDir: new URL(migrationsDir),
    log: createLog('silent'),
    clock: systemClock,
    onProgress: (text) => say(`progress ${text}`),
  });
  process.stdin.once('end', () => {
    void storage.stop().then(() => say('stopped'));
  });
  process.stdin.resume();
  say('ready');
  if (task === 'write') await write(storage);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  say(`failed ${error.message}`);
  process.exitCode = 1;
}
