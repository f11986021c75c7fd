export interface Publishing {
  readonly host: string;
  /** Null while it is not known. */
  readonly mqtt: { readonly port: number | null; readonly isEncrypted: boolean } | null;
  readonly origin: string;
  readonly organizationId: string;
  readonly deviceId: string;
  readonly topic: string;
  /** Null while it is not known here: then a word stands in its place. */
  readonly password: string | null;
}

const USUAL_PORT = 1883;
const EXAMPLE = '{ "engine": { "rpm": 1800 } }';

/** Commands for a shell that publish one reading of the Device. */
export function publishCommands(given: Publishing): { mqtt: string; http: string } {
  const { host, origin, organizationId, deviceId, topic } = given;
  const port = given.mqtt?.port ?? USUAL_PORT;
  const options = [
    ...(port === USUAL_PORT ? [] : [`-p ${port}`]),
    ...(given.mqtt?.isEncrypted ? ['--tls-use-os-certs'] : []),
  ];
  const reach = [`-h ${host}`, ...options].join(' ');
  const password = given.password ?? 'PASSWORD';
  return {
    mqtt: `mosquitto_pub ${reach} -u ${deviceId} -P '${password}' -q 1 \\\n  -t '${topic}' -m '${EXAMPLE}'`,
    http: `curl -u '${deviceId}:${password}' -H 'Content-Type: application/json' \\\n  -d '${EXAMPLE}' \\\n  '${origin}/data/v1/organizations/${organizationId}/devices/${deviceId}'`,
  };
}
