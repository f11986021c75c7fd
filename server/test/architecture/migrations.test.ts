import { expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/storage/index.ts';
import { readMigrations } from '../../src/storage/migrate.ts';

it('the migrations are numbered from 1 without a gap, and no number is used twice', async () => {
  const migrations = readMigrations(MIGRATIONS);
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
});
