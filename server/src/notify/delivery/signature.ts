import { createHmac } from 'node:crypto';

export interface Signed {
  readonly id: string;
  /** Whole seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks: one signature for each secret that is valid. */
export function signedHeaders(
  { id, timestamp, body }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
