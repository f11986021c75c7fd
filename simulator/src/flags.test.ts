import { describe, expect, it } from 'vitest';
import { parseFlags } from './flags.ts';

const NEEDED = ['--organization', 'o', '--api-key', 'key:a:b'];

function problemsOf(...args: string[]): readonly string[] {
  const parsed = parseFlags([...NEEDED, ...args], {});
  return 'problems' in parsed ? parsed.problems : [];
}

describe('flags', () => {
  it('need an organization and credentials, and have a value for all else', () => {
    expect(parseFlags(NEEDED, {})).toEqual({
      settings: {
        url: 'http://127.0.0.1:8080',
        mqtt: 'mqtt://127.0.0.1:1883',
        organizationId: 'o',
        credentials: { apiKeyId: 'key', apiKeySecret: 'a:b' },
        sites: 5,
        seed: 1,
        intervalSeconds: 10,
        speed: 1,
        days: 0,
        hasIncident: false,
        lorawan: null,
        forSeconds: 0,
      },
    });
    const parsed = parseFlags([], {});
    expect('problems' in parsed && parsed.problems.map((text) => text.split(' ')[0])).toEqual([
      '--organization',
      '--api-key',
    ]);
  });

  it('come before what the environment say', () => {
    const defaults = { organizationId: 'p', apiKeyId: 'i', apiKeySecret: 's' };
    expect(parseFlags([], defaults)).toMatchObject({
      settings: { organizationId: 'p', credentials: { apiKeyId: 'i', apiKeySecret: 's' } },
    });
    expect(parseFlags(['--user=a@b:c', '--url', 'https://host:8443/x'], defaults)).toMatchObject({
      settings: { credentials: { email: 'a@b', password: 'c' }, mqtt: 'mqtt://host:1883' },
    });
  });

  it.each([
    ['sites', 1, 1_000],
    ['interval', 1, 3_600],
    ['days', 0, 366],
    ['speed', 1, 10_000],
    ['seed', 0, 2 ** 31 - 1],
  ])('--%s is a whole number from %d to %d', (name, least, most) => {
    for (const good of [least, most]) expect(problemsOf(`--${name}`, `${good}`)).toEqual([]);
    for (const bad of [least - 1, most + 1, '1.5', 'x', '']) {
      expect(problemsOf(`--${name}`, `${bad}`)).toEqual([
        expect.stringMatching(new RegExp(`^--${name} `)),
      ]);
    }
  });

  it('that are unknown, wrong or without a value are named', () => {
    expect(
      problemsOf('--site', '--url', 'ftp://x', '--mqtt', 'x', '--user', 'a:b', '--for'),
    ).toEqual([
      expect.stringContaining('--site is no flag'),
      '--for needs a value.',
      expect.stringContaining('--url must be'),
      expect.stringContaining('--mqtt must be'),
      expect.stringContaining('exclude each other'),
    ]);
    expect(parseFlags(['--organization', 'o', '--api-key', 'key'], {})).toEqual({
      problems: ['--api-key must be <id>:<secret>.'],
    });
    expect(parseFlags(['--organization', 'o', '--user', 'a'], {})).toEqual({
      problems: ['--user must be <email>:<password>.'],
    });
  });

  it('explain themselves', () => {
    expect(parseFlags(['--sites', 'x', '--help'], {})).toEqual({
      help: expect.stringContaining('--organization'),
    });
  });
});
