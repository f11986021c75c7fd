export interface PublishTarget {
  readonly host: string;
  /** Null while it is unknown. */
  readonly mqtt: { readonly port: number | null; readonly isEncrypted: boolean } | null;
  readonly origin: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly topic: string;
  /** Null where it is unknown; the command then has a placeholder. */
  readonly password: string | null;
}

const DEFAULT_PORT = 1883;
const EXAMPLE = '{ "engine": { "rpm": 1800 } }';

/** Shell commands that publish one reading of the Device. */
export function publishCommands(target: PublishTarget): { mqtt: string; http: string } {
  const { host, origin, organizationId, deviceId, topic } = target;
  const port = target.mqtt?.port ?? DEFAULT_PORT;
  const options = [
    ...(port === DEFAULT_PORT ? [] : [`-p ${port}`]),
    ...(target.mqtt?.isEncrypted ? ['--tls-use-os-certs'] : []),
  ];
  const reach = [`-h ${host}`, ...options].join(' ');
  const password = target.password ?? 'PASSWORD';
  return {
    mqtt: `mosquitto_pub ${reach} -u ${deviceId} -P '${password}' -q 1 \\\n  -t '${topic}' -m '${EXAMPLE}'`,
    http: `curl -u '${deviceId}:${password}' -H 'Content-Type: application/json' \\\n  -d '${EXAMPLE}' \\\n  '${origin}/data/v1/organizations/${organizationId}/devices/${deviceId}'`,
  };
}
