import { type Queries, run, sql } from '../../storage/index.ts';
import type { ActiveNetwork } from '../sessions/index.ts';

export interface ProbedNetwork extends ActiveNetwork {
  readonly isActive: boolean;
}

/** A network of any organization, for the operator of the installation. */
export async function findProbed(db: Queries, networkId: string): Promise<ProbedNetwork | null> {
  const [row] = await run<ProbedNetwork>(
    db,
    sql`select organization_id as "organizationId", id, kind, url, username,
          encrypted_password as "encryptedPassword", topic_template as "topicTemplate",
          ca_certificate as "caCertificate",
          application_id as "applicationId", tenant_id as "tenantId",
          gateway_prefixes as "gatewayPrefixes", revision, is_active as "isActive"
        from lorawan_networks where id = ${networkId}`,
  );
  return row ?? null;
}

/** Which of these EUIs no Device of the organization has. */
export async function listUnknown(
  db: Queries,
  organizationId: string,
  devEuis: readonly string[],
): Promise<string[]> {
  const rows = await run<{ devEui: string }>(
    db,
    sql`select given.dev_eui as "devEui" from unnest(${devEuis}::text[]) as given (dev_eui)
        where not exists (select from devices where devices.organization_id = ${organizationId}
          and devices.dev_eui = given.dev_eui)`,
  );
  return rows.map(({ devEui }) => devEui);
}
