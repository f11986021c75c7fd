import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, saved, sql, type Transaction } from '../../storage/index.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  /** Null means that history is kept for ever. */
  readonly retentionDays: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const COLUMNS = sql`id, name, retention_days as "retentionDays", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

export async function findOrganization(
  db: Queries,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const [row] = await run<OrganizationRow>(
    db,
    sql`select ${COLUMNS} from organizations where id = ${organizationId}`,
  );
  return row ?? null;
}

/** Holds back every other edit of the organization and of who belongs to it. */
export async function lockOrganization(
  tx: Transaction,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const [row] = await run<OrganizationRow>(
    tx,
    sql`select ${COLUMNS} from organizations where id = ${organizationId} for no key update`,
  );
  return row ?? null;
}

export async function findOldestOrganization(db: Queries): Promise<OrganizationRow | null> {
  const [row] = await run<OrganizationRow>(
    db,
    sql`select ${COLUMNS} from organizations order by created_at, id limit 1`,
  );
  return row ?? null;
}

/** All organizations of the installation, the oldest first. */
export function listOrganizations(db: Queries): Promise<OrganizationRow[]> {
  return run<OrganizationRow>(
    db,
    sql`select ${COLUMNS} from organizations order by created_at, id`,
  );
}

export async function insertOrganization(
  tx: Transaction,
  organization: { id: string; name: string; now: number },
): Promise<void> {
  const at = isoDateTime(organization.now);
  await run(
    tx,
    sql`insert into organizations (id, name, created_at, updated_at)
        values (${organization.id}, ${organization.name}, ${at}, ${at})`,
  );
}

export async function updateOrganization(
  tx: Transaction,
  organizationId: string,
  { name, retentionDays, now }: { name: string; retentionDays: number | null; now: number },
): Promise<OrganizationRow> {
  return saved(
    run<OrganizationRow>(
      tx,
      sql`update organizations set name = ${name}, retention_days = ${retentionDays},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where id = ${organizationId} returning ${COLUMNS}`,
    ),
  );
}

/** An arbitrary number that nothing else in the database locks. */
const BOOTSTRAP_LOCK = 7_310_427_001;

/** Of several servers that start at once, one goes on; the others wait for its transaction. */
export async function lockBootstrap(tx: Transaction): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`);
}
