import { expect, inject, it } from 'vitest';
import { openTestStorage } from '../../test/support/storage.ts';
import { assertNewEnough } from './external.ts';

function urlWith(change: (url: URL) => void): string {
  const url = new URL(inject('postgresUrl'));
  change(url);
  return url.href;
}

async function failureOf(databaseUrl: string): Promise<string> {
  const error = await openTestStorage({ databaseUrl }).catch((e: unknown) => e);
  expect(error).toMatchObject({ name: 'StartFailure' });
  return error instanceof Error ? error.message : '';
}

it('says that nothing listens at DATABASE_URL, without its password', async () => {
  const message = await failureOf('postgresql://someone:canary@127.0.0.1:1/fieldwatch');
  expect(message).toBe(
    'DATABASE_URL: the database at 127.0.0.1:1/fieldwatch cannot be reached: nothing listens there.',
  );
});

it('says that the host of DATABASE_URL does not exist', async () => {
  const message = await failureOf('postgresql://someone:canary@nowhere.invalid/fieldwatch');
  expect(message).toMatch(/^DATABASE_URL: .*nowhere\.invalid.* host/);
  expect(message).not.toContain('canary');
});

it('says that DATABASE_URL is no PostgreSQL URL, without repeating it', async () => {
  for (const text of [
    'canary',
    'mysql://root:canary@localhost/x',
    'postgresql://a:canary@b:port/c',
  ]) {
    const message = await failureOf(text);
    expect(message).toMatch(/^DATABASE_URL is not a PostgreSQL URL/);
    expect(message).not.toContain('canary');
  }
});

it('says that the password of DATABASE_URL is wrong, without repeating it', async () => {
  const message = await failureOf(urlWith((url) => (url.password = 'canary')));
  expect(message).toMatch(/^DATABASE_URL: .* the password is wrong\.$/);
  expect(message).not.toContain('canary');
});

it('says that the database of DATABASE_URL does not exist', async () => {
  const message = await failureOf(urlWith((url) => (url.pathname = '/nowhere')));
  expect(message).toMatch(/^DATABASE_URL: .*\/nowhere .* no such database\.$/);
});

it('takes PostgreSQL 15 and refuses 14', () => {
  expect(() => assertNewEnough(150_000, 'here')).not.toThrow();
  expect(() => assertNewEnough(140_022, 'here')).toThrow(
    'DATABASE_URL: the server at here is PostgreSQL 14; 15 or newer is needed.',
  );
});
