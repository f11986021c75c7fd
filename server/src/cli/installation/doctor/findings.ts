import type {
  BrokerFacts,
  CertificateFacts,
  DatabaseState,
  DirectoryFacts,
  Facts,
  PortFacts,
} from './facts.ts';

/** What a check found. A finding that is not OK has a remedy. */
export interface Finding {
  readonly check: string;
  readonly level: 'OK' | 'WARNING' | 'ERROR';
  readonly message: string;
  readonly remedy: string | null;
}

const MIB = 1024 * 1024;
const MIN_FREE_BYTES = 200 * MIB;
const LOW_FREE_BYTES = 2048 * MIB;
const MIN_MEMORY_BYTES = 400 * MIB;
const MIN_OPEN_FILES = 4_096;
const MAX_BEHIND_MS = 60_000;
const MAX_AHEAD_MS = 86_400_000;
const NOTICEABLE_DEVIATION_MS = 5_000;
const DAY_MS = 86_400_000;
const EXPIRY_WARNING_MS = 14 * DAY_MS;

const ok = (check: string, message: string): Finding => ({
  check,
  level: 'OK',
  message,
  remedy: null,
});

const bad = (
  level: 'WARNING' | 'ERROR',
  check: string,
  message: string,
  remedy: string,
): Finding => ({ check, level, message, remedy });

/** A setting that cannot be parsed. */
export function settingFinding(problem: string): Finding {
  return bad('ERROR', 'configuration', problem, 'Correct the setting; docs/running.md lists all.');
}

/** Judges the facts. The order is that of the checks a start makes. */
export function findingsOf(facts: Facts): Finding[] {
  return [
    ...configurationFindings(facts.unknownSettings),
    ...systemFindings(facts),
    ...directoryFindings(facts.dataDir),
    ...facts.ports.map(portFinding),
    ...facts.certificates.map((certificate) => certificateFinding(certificate, facts.nowMs)),
    ...(facts.broker === null ? [] : [brokerFinding(facts.broker)]),
    ...databaseFindings(facts.database),
  ];
}

function configurationFindings(unknown: readonly string[]): Finding[] {
  if (unknown.length === 0) return [ok('configuration', 'All settings are valid.')];
  return unknown.map((name) =>
    bad(
      'WARNING',
      'configuration',
      `${name} is no setting, and is ignored.`,
      'Check its spelling in docs/running.md, or unset it.',
    ),
  );
}

function systemFindings({ isRoot, memoryBytes, maxOpenFiles }: Facts): Finding[] {
  const memory = `${Math.round(memoryBytes / MIB)} MiB of memory`;
  return [
    isRoot
      ? bad(
          'WARNING',
          'user',
          'The command runs as root, which the server does not need.',
          'Run the server as a user of its own that owns the data directory.',
        )
      : ok('user', 'The user is not root.'),
    memoryBytes < MIN_MEMORY_BYTES
      ? bad('WARNING', 'memory', `The machine has only ${memory}.`, 'Give it at least 512 MiB.')
      : ok('memory', `The machine has ${memory}.`),
    maxOpenFiles !== null && maxOpenFiles < MIN_OPEN_FILES
      ? bad(
          'WARNING',
          'open files',
          `A process may open only ${maxOpenFiles} files, and each connection is one.`,
          'Raise the limit with ulimit -n or LimitNOFILE, to 65536 for instance.',
        )
      : ok('open files', `A process may open ${maxOpenFiles ?? 'enough'} files.`),
  ];
}

function directoryFindings({ path, problem, freeBytes }: DirectoryFacts): Finding[] {
  if (problem !== null) {
    return [
      bad(
        'ERROR',
        'data directory',
        `FIELDWATCH_DATA_DIR: ${path} ${problem}.`,
        'Let the user of the server own the directory, or set FIELDWATCH_DATA_DIR to another one.',
      ),
    ];
  }
  return [ok('data directory', `${path} can be written.`), diskFinding(path, freeBytes)];
}

function diskFinding(path: string, freeBytes: number | null): Finding {
  if (freeBytes === null) return ok('disk', `The free space of ${path} is not known.`);
  const free = `${Math.round(freeBytes / MIB)} MiB are free on the disk of ${path}.`;
  if (freeBytes >= LOW_FREE_BYTES) return ok('disk', free);
  return bad(
    freeBytes < MIN_FREE_BYTES ? 'ERROR' : 'WARNING',
    'disk',
    `Only ${free}`,
    'Free space, enlarge the disk, or limit how long history is kept.',
  );
}

function portFinding({ setting, port, state, holder }: PortFacts): Finding {
  const check = 'port';
  switch (state) {
    case 'FREE':
      return ok(check, port === 0 ? `${setting}: a start selects one.` : `Port ${port} is free.`);
    case 'OWN':
      return ok(check, `Port ${port} is used by this server.`);
    case 'USED':
      return bad(
        'ERROR',
        check,
        `${setting}: port ${port} is used by ${holder ?? 'another program'}.`,
        `Stop that program, or set ${setting} to another port.`,
      );
    case 'FORBIDDEN':
      return bad(
        'ERROR',
        check,
        `${setting}: this user may not listen on port ${port}.`,
        `Set ${setting} to 1024 or more, or grant CAP_NET_BIND_SERVICE.`,
      );
    case 'NO_SUCH_ADDRESS':
      return bad(
        'ERROR',
        check,
        'FIELDWATCH_HTTP_HOST is no address of this machine.',
        'Set it to one of the addresses of the machine, or to 0.0.0.0 for all.',
      );
  }
}

function certificateFinding(
  { setting, problem, startsAt, expiresAt }: CertificateFacts,
  nowMs: number,
): Finding {
  const check = 'certificate';
  if (problem !== null) {
    return bad(
      'ERROR',
      check,
      problem,
      'Let the two settings name the PEM files of one certificate and its key, readable for the server.',
    );
  }
  const days = expiresAt === null ? null : Math.floor((expiresAt - nowMs) / DAY_MS);
  const renew = 'Renew it; the server uses new files without a restart.';
  if (startsAt !== null && startsAt > nowMs) {
    const start = new Date(startsAt).toISOString();
    return bad(
      'ERROR',
      check,
      `${setting}: the certificate is not valid before ${start}.`,
      'Set the clock of this machine by NTP if it is behind, or use another certificate.',
    );
  }
  if (expiresAt !== null && expiresAt <= nowMs) {
    return bad('ERROR', check, `${setting}: the certificate has expired.`, renew);
  }
  if (expiresAt !== null && expiresAt - nowMs < EXPIRY_WARNING_MS) {
    return bad('WARNING', check, `${setting}: the certificate expires in ${days} days.`, renew);
  }
  return ok(check, `${setting}: valid, with its key${days === null ? '' : `, for ${days} days`}.`);
}

function brokerFinding({ address, problem }: BrokerFacts): Finding {
  const check = 'broker';
  if (problem === null) return ok(check, `The broker at ${address} accepts the connection.`);
  return bad(
    'ERROR',
    check,
    `FIELDWATCH_MQTT_URL: the broker at ${address} cannot be used: ${problem}.`,
    'Check that the broker runs there, and that the address, username and password in FIELDWATCH_MQTT_URL are right.',
  );
}

function databaseFindings(database: DatabaseState): Finding[] {
  if (database.kind === 'UNREACHABLE') {
    return [
      bad(
        'ERROR',
        'database',
        database.problem,
        database.isEmbedded
          ? 'Correct that, or restore a backup into another data directory (docs/backing-up.md).'
          : 'Check that PostgreSQL runs there, and that the address, user and password in DATABASE_URL are right.',
      ),
    ];
  }
  if (database.kind === 'MISSING') {
    return [
      ok('database', 'There is none yet; the first start creates it.'),
      ...(database.secretProblem === null ? [] : [secretFinding(database.secretProblem)]),
    ];
  }
  const { version, migrationProblem, pendingMigrations, secretProblem, deviationMs } = database;
  return [
    ok('database', `PostgreSQL ${version} replies.`),
    encodingFinding(database.encoding, database.migration === null),
    clockFinding(deviationMs),
    migrationFinding(migrationProblem, pendingMigrations),
    secretProblem === null
      ? ok('secret key', 'The secret key is that of the database.')
      : secretFinding(secretProblem),
  ];
}

function encodingFinding(encoding: string, isNew: boolean): Finding {
  const check = 'encoding';
  if (encoding === 'UTF8') return ok(check, 'The database has the encoding UTF8.');
  const harm =
    encoding === 'SQL_ASCII'
      ? 'PostgreSQL checks no text, and knows upper and lower case of ASCII letters only'
      : 'PostgreSQL refuses texts with characters that it lacks';
  const create = "Create a database with ENCODING 'UTF8' TEMPLATE template0";
  return isNew
    ? bad(
        'ERROR',
        check,
        `The database has the encoding ${encoding}, and a start needs UTF8.`,
        `${create}, and name it in DATABASE_URL.`,
      )
    : bad(
        'WARNING',
        check,
        `The database has the encoding ${encoding}: ${harm}.`,
        `Back up. ${create}, and restore the backup into it (docs/backing-up.md).`,
      );
}

function secretFinding(problem: string): Finding {
  return bad(
    'ERROR',
    'secret key',
    problem,
    'See docs/backing-up.md: without its key, an installation cannot be used.',
  );
}

function migrationFinding(problem: string | null, pending: number): Finding {
  const check = 'migrations';
  if (problem !== null) {
    return bad('ERROR', check, problem, 'Install the version that last used this database.');
  }
  return ok(
    check,
    pending === 0
      ? 'The database has the version of this program.'
      : `${pending} migrations are applied by the next start; back up before.`,
  );
}

function clockFinding(deviationMs: number): Finding {
  const check = 'clock';
  const seconds = Math.round(Math.abs(deviationMs) / 1000);
  const where = deviationMs < 0 ? 'behind' : 'ahead of';
  if (Math.abs(deviationMs) < NOTICEABLE_DEVIATION_MS) {
    return ok(check, 'The clock agrees with that of the database.');
  }
  const isWrong = deviationMs < -MAX_BEHIND_MS || deviationMs > MAX_AHEAD_MS;
  return bad(
    isWrong ? 'ERROR' : 'WARNING',
    check,
    `The clock of this machine is ${seconds} s ${where} that of the database.`,
    'Set both clocks by NTP.',
  );
}
