import { createLog, systemClock } from '../../src/runtime/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { createTestDatabase } from './postgres.ts';

const organizationId = '018f0000-0000-7000-8000-0000000000ee';

/** Storage with an organization, in which Devices are created without a server. */
export async function startStorage() {
  const database = await createTestDatabase();
  const storage = await openStorage({
    databaseUrl: database.url,
    dataDir: '/nowhere',
    postgresBin: null,
    log: createLog('silent'),
    clock: systemClock,
    onProgress: () => undefined,
  });
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Own', now(), now())`,
    [organizationId],
  );
  return {
    /** The storage, with a count of its queries. */
    counted() {
      let queries = 0;
      const query: Storage['query'] = (sql, params) => {
        queries += 1;
        return storage.query(sql, params);
      };
      const counting: Storage = { ...storage, query, background: { ...storage, query } };
      return { storage: counting, queries: () => queries };
    },
    async newDevice({ paths }: { readonly paths: readonly string[] }) {
      const id = crypto.randomUUID();
      await storage.query(
        `insert into devices (organization_id, id, type, name, name_folded, description,
           password_hash, created_at, updated_at)
         values ($1, $2, 'CUSTOM_DEVICE', 'Device', 'device', '', 'none', now(), now())`,
        [organizationId, id],
      );
      await storage.query(
        `insert into variables (organization_id, id, device_id, name, name_folded,
           topic_property_path, topic_property_path_folded, type, is_logging_enabled, created_at,
           updated_at)
         select $1, gen_random_uuid(), $2, 'Variable', 'variable', path, path, 'NUMBER', true,
           now(), now()
         from unnest($3::text[]) path`,
        [organizationId, id, paths],
      );
      return { id, organizationId };
    },
    async stop() {
      await storage.stop();
      await database.drop();
    },
  };
}
