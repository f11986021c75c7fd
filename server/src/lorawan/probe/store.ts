import { type Queries, run, sql } from '../../storage/index.ts';
import type { ActiveNetwork } from '../sessions/index.ts';

/** A network of any organization, for the operator of the installation. */
export async function findProbed(db: Queries, networkId: string): Promise<ActiveNetwork | null> {
  const [row] = await run<ActiveNetwork>(
    db,
    sql`select organization_id as "organizationId", id, kind, url, username,
          encrypted_password as "encryptedPassword", topic_template as "topicTemplate",
          ca_certificate as "caCertificate",
          application_id as "applicationId", tenant_id as "tenantId",
          gateway_prefixes as "gatewayPrefixes", revision
        from lorawan_networks where id = ${networkId}`,
  );
  return row ?? null;
}
