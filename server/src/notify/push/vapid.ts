import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

// The identification of this server to push services: VAPID, RFC 8292.

/** A key pair of P-256. */
export interface VapidKeys {
  /** A point, uncompressed. */
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

/** Push services refuse tokens that are valid for more than a day. */
const TOKEN_SECONDS = 12 * 3_600;
const COORDINATE_BYTES = 32;
const UNCOMPRESSED = Buffer.of(4);

export function createVapidKeys(): VapidKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const coordinates = [x, y].map((each) => Buffer.from(each, 'base64url'));
  return {
    publicKey: Buffer.concat([UNCOMPRESSED, ...coordinates]),
    privateKey: Buffer.from(d, 'base64url'),
  };
}

interface Claims {
  /** The address of the browser at its push service. */
  readonly endpoint: string;
  /** Whom the push service can ask about the messages, as a URL; null when nobody is named. */
  readonly contact: string | null;
  readonly now: number;
}

/** The `Authorization` of a message. */
export function vapidAuthorization(keys: VapidKeys, { endpoint, contact, now }: Claims): string {
  const { publicKey, privateKey } = keys;
  const text = (buffer: Buffer) => buffer.toString('base64url');
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + TOKEN_SECONDS,
    ...(contact === null ? {} : { sub: contact }),
  };
  const parts = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) =>
    text(Buffer.from(JSON.stringify(part))),
  );
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: text(publicKey.subarray(1, 1 + COORDINATE_BYTES)),
      y: text(publicKey.subarray(1 + COORDINATE_BYTES)),
      d: text(privateKey),
    },
  });
  const signature = sign('sha256', Buffer.from(parts.join('.')), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${[...parts, text(signature)].join('.')}, k=${text(publicKey)}`;
}
