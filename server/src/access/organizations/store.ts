import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, saved, type Transaction } from '../../storage/index.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  /** Null means that history is kept for ever. */
  readonly retentionDays: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const COLUMNS = `id, name, retention_days as "retentionDays", created_at as "createdAt",
  updated_at as "updatedAt", revision`;

export async function findOrganization(
  db: Queries,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const [row] = await db.query<OrganizationRow>(
    `select ${COLUMNS} from organizations where id = $1`,
    [organizationId],
  );
  return row ?? null;
}

/** Holds back every other edit of the organization and of who belongs to it. */
export async function lockOrganization(
  tx: Transaction,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const [row] = await tx.query<OrganizationRow>(
    `select ${COLUMNS} from organizations where id = $1 for no key update`,
    [organizationId],
  );
  return row ?? null;
}

export async function findOldestOrganization(db: Queries): Promise<OrganizationRow | null> {
  const [row] = await db.query<OrganizationRow>(
    `select ${COLUMNS} from organizations order by created_at, id limit 1`,
  );
  return row ?? null;
}

export async function insertOrganization(
  tx: Transaction,
  organization: { id: string; name: string; now: number },
): Promise<void> {
  await tx.query(
    'insert into organizations (id, name, created_at, updated_at) values ($1, $2, $3, $3)',
    [organization.id, organization.name, isoDateTime(organization.now)],
  );
}

export async function updateOrganization(
  tx: Transaction,
  organizationId: string,
  { name, retentionDays, now }: { name: string; retentionDays: number | null; now: number },
): Promise<OrganizationRow> {
  return saved(
    tx.query<OrganizationRow>(
      `update organizations set name = $2, retention_days = $3, updated_at = $4,
       revision = revision + 1
     where id = $1 returning ${COLUMNS}`,
      [organizationId, name, retentionDays, isoDateTime(now)],
    ),
  );
}

/** An arbitrary number that nothing else in the database locks. */
const BOOTSTRAP_LOCK = 7_310_427_001;

/** Of several servers that start at once, one goes on; the others wait for its transaction. */
export async function lockBootstrap(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
}
