import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fold } from '../src/runtime/index.ts';
import { openHistory } from './support/readings.ts';

const MIGRATION = new URL('../migrations/0070-letters-without-context.sql', import.meta.url);
const organizationId = crypto.randomUUID();
const alarmId = crypto.randomUUID();

/** How texts were folded before this migration. */
const foldedBefore = (text: string) => text.normalize('NFC').toLowerCase();

it('folded texts become those of the present function, and stay where they would be doubled', async () => {
  const storage = await openHistory();
  const names = ['ΚΟΣΜΟΣ 1', 'ΑΝΤΛΙΑΣ', 'ΜΑΪ\u0301ΟΥ', 'J\u030c pump', 'Pump', 'Pü', 'ΠΟΣ'];
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Plant', now(), now())`,
    [organizationId],
  );
  await storage.query(
    `insert into locations (organization_id, id, name, name_folded, created_at, updated_at)
     select $1, gen_random_uuid(), name, folded, now(), now()
     from unnest($2::text[], $3::text[]) as given (name, folded)`,
    [organizationId, names, names.map(foldedBefore)],
  );
  await storage.query(
    `insert into alarm_event_names select $1, $2, name from unnest($3::text[]) as name`,
    [organizationId, alarmId, ['πος', 'ποσ', 'αντλίας']],
  );
  await storage.query(readFileSync(MIGRATION, 'utf8'));
  const locations = await storage.query<{ name: string; folded: string }>(
    'select name, name_folded as folded from locations',
  );
  expect(locations).toHaveLength(names.length);
  for (const { name, folded } of locations) expect(folded).toBe(fold(name));
  const known = await storage.query<{ name: string }>(
    'select name_folded as name from alarm_event_names',
  );
  expect(known.map(({ name }) => name).sort()).toEqual(['αντλίασ', 'πος', 'ποσ'].sort());
});
