import { describe, expect, it } from 'vitest';
import type { DatabaseState, Facts } from './facts.ts';
import { findingsOf } from './findings.ts';

const REACHED: Extract<DatabaseState, { kind: 'REACHED' }> = {
  kind: 'REACHED',
  version: '18.4',
  encoding: 'UTF8',
  migration: 43,
  deviationMs: 0,
  migrationProblem: null,
  pendingMigrations: 0,
  secretProblem: null,
};
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-17T00:00:00Z');
const MIB = 1024 * 1024;

const WHOLE: Facts = {
  nowMs: NOW,
  unknownSettings: [],
  isRoot: false,
  memoryBytes: 2_048 * MIB,
  maxOpenFiles: 65_536,
  dataDir: { path: '/data', problem: null, freeBytes: 100_000 * MIB },
  ports: [{ setting: 'FIELDWATCH_HTTP_PORT', port: 8080, state: 'FREE', holder: null }],
  certificates: [],
  broker: null,
  database: REACHED,
};

const port = (state: Facts['ports'][number]['state'], holder: string | null = null) => ({
  ports: [{ setting: 'FIELDWATCH_HTTP_PORT', port: 80, state, holder }],
});
const certificate = (problem: string | null, expiresAt: number | null, startsAt = NOW) => ({
  certificates: [{ setting: 'FIELDWATCH_HTTP_TLS_CERT', problem, startsAt, expiresAt }],
});
const database = (changed: Partial<typeof REACHED>) => ({ database: { ...REACHED, ...changed } });
const disk = (freeBytes: number) => ({ dataDir: { path: '/data', problem: null, freeBytes } });

describe('a doctor', () => {
  it('finds nothing wrong with a whole installation', () => {
    expect(findingsOf(WHOLE).filter(({ level }) => level !== 'OK')).toEqual([]);
  });

  it.each<[string, Partial<Facts>, 'ERROR' | 'WARNING', RegExp]>([
    ['a misspelt setting', { unknownSettings: ['FIELDWATCH_PROT'] }, 'WARNING', /FIELDWATCH_PROT/],
    [
      'an encoding of bytes',
      database({ encoding: 'SQL_ASCII' }),
      'WARNING',
      /SQL_ASCII: .* checks/,
    ],
    ['another encoding', database({ encoding: 'LATIN1' }), 'WARNING', /LATIN1: .* characters/],
    [
      'an encoding that a start refuses',
      database({ encoding: 'SQL_ASCII', migration: null }),
      'ERROR',
      /SQL_ASCII, and a start needs UTF8/,
    ],
    ['root', { isRoot: true }, 'WARNING', /root/],
    ['little memory', { memoryBytes: 300 * MIB }, 'WARNING', /300 MiB/],
    ['few open files', { maxOpenFiles: 1_024 }, 'WARNING', /1024 files/],
    [
      'a directory that cannot be written',
      { dataDir: { path: '/data', problem: 'cannot be written: EACCES', freeBytes: null } },
      'ERROR',
      /\/data cannot be written/,
    ],
    ['a full disk', disk(100 * MIB), 'ERROR', /Only 100 MiB/],
    ['a disk that is getting full', disk(1_000 * MIB), 'WARNING', /Only 1000 MiB/],
    ['a port in use', port('USED', 'nginx (process 7)'), 'ERROR', /used by nginx \(process 7\)/],
    ['a privileged port', port('FORBIDDEN'), 'ERROR', /may not listen on port 80/],
    ['a foreign address', port('NO_SUCH_ADDRESS'), 'ERROR', /no address of this machine/],
    ['a wrong certificate', certificate('X_CERT: it is.', null), 'ERROR', /X_CERT: it is/],
    ['an expired certificate', certificate(null, NOW), 'ERROR', /has expired/],
    ['a late certificate', certificate(null, NOW + 3 * DAY_MS), 'WARNING', /in 3 days/],
    [
      'a certificate of the future',
      certificate(null, NOW + 300 * DAY_MS, NOW + DAY_MS),
      'ERROR',
      /not valid before 2026-11-18T00:00:00/,
    ],
    [
      'an unreachable broker',
      { broker: { address: 'mqtt://broker', problem: 'nothing listens there' } },
      'ERROR',
      /^FIELDWATCH_MQTT_URL: the broker at mqtt:\/\/broker cannot be used: nothing listens/,
    ],
    [
      'an unreachable database',
      { database: { kind: 'UNREACHABLE', problem: 'Nothing listens.', isEmbedded: false } },
      'ERROR',
      /Nothing listens/,
    ],
    [
      'a damaged cluster',
      { database: { kind: 'UNREACHABLE', problem: 'PostgreSQL failed.', isEmbedded: true } },
      'ERROR',
      /PostgreSQL failed/,
    ],
    [
      'a lost database',
      { database: { kind: 'MISSING', secretProblem: 'Its database is missing.' } },
      'ERROR',
      /database is missing/,
    ],
    ['a newer database', database({ migrationProblem: 'Run the newer.' }), 'ERROR', /newer/],
    ['a wrong key', database({ secretProblem: 'It is not the key.' }), 'ERROR', /not the key/],
    ['a clock behind', database({ deviationMs: -61_000 }), 'ERROR', /61 s behind/],
    ['a clock ahead', database({ deviationMs: 6_000 }), 'WARNING', /6 s ahead of/],
  ])('names %s, with a remedy', (_, facts, level, message) => {
    const wrong = findingsOf({ ...WHOLE, ...facts }).filter((finding) => finding.level !== 'OK');
    expect(wrong).toEqual([
      {
        check: expect.any(String),
        level,
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(/\.$/),
      },
    ]);
  });
});
