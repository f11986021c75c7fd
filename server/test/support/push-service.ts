import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reads a message as a browser does: RFC 8291, written apart from the code that encrypts. */
export function decryptPush(message: Buffer, browser: ECDH, authSecret: Buffer): string {
  const salt = message.subarray(0, 16);
  const keyLength = message.readUInt8(20);
  const sender = message.subarray(21, 21 + keyLength);
  const sealed = message.subarray(21 + keyLength);
  const shared = browser.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const input = Buffer.from(hkdfSync('sha256', shared, authSecret, info, 32));
  const derived = (about: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${about}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}

/** The claims of a VAPID token, once its signature is verified with the key beside it. */
export function vapidClaims(authorization: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) =>
    each.toString('base64url'),
  );
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
  });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('the signature of the token is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString());
}

interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The message as the browser reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly text: any;
}

/** A push service with one browser, whose messages it decrypts with the browser's keys. */
export interface PushService {
  readonly origin: string;
  readonly received: ReceivedPush[];
  /** What the browser would send to the server, under an address of its own. */
  subscription(name: string): {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  answer(status: number): void;
  stop(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const authSecret = Buffer.alloc(16, 9);
  const received: ReceivedPush[] = [];
  let status = 201;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = JSON.parse(decryptPush(Buffer.concat(chunks), browser, authSecret));
    received.push({ path: request.url ?? '', headers: request.headers, text });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    subscription: (name) => ({
      endpoint: `${origin}/push/${name}`,
      keys: {
        p256dh: browser.getPublicKey().toString('base64url'),
        auth: authSecret.toString('base64url'),
      },
    }),
    answer(next) {
      status = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
