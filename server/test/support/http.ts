import { connect } from 'node:net';
import type { Operation } from '@fieldwatch/contract';
import Type, { type TUnknown } from 'typebox';
import { afterEach } from 'vitest';
import type { AppOptions } from '../../src/http/app.ts';
import type { Authenticate } from '../../src/http/caller.ts';
import type { Handler, RecordRefusal } from '../../src/http/handler.ts';
import { createHttp, type Http } from '../../src/http/http.ts';
import { HTTP_LIMITS, type HttpLimits } from '../../src/http/limits.ts';
import { createResponseCache } from '../../src/http/response-cache.ts';
import {
  type CertificateFiles,
  createKeyring,
  createLog,
  createRateLimit,
  Failure,
  type Log,
  NO_PROXIES,
  systemClock,
  type TrustedProxies,
} from '../../src/runtime/index.ts';
import type { Storage } from '../../src/storage/index.ts';

/** No operation of these tests touches storage; one that did would fail here. */
const nothing = {
  query: () => Promise.reject(new Error('not in this test')),
  transaction: () => Promise.reject(new Error('not in this test')),
  atomically: () => Promise.reject(new Error('not in this test')),
};
export const noStorage: Storage = {
  ...nothing,
  inOrder: () => Promise.reject(new Error('not in this test')),
  anonymous: nothing,
  ingest: nothing,
  background: nothing,
  nodes: nothing,
  check: () => Promise.resolve(),
  createWriteProbe: () => () => Promise.resolve(),
  openSessionLocks: () => Promise.reject(new Error('not in this test')),
  stop: () => Promise.resolve(),
};

/** An operation whose bodies may be anything, in both directions. */
export interface Loose extends Operation {
  readonly effect: 'read';
  readonly body: TUnknown;
  readonly reply: { readonly status: 200; readonly description: string; readonly body: TUnknown };
}

export function operation(id: string, more: Partial<Operation> = {}): Loose {
  return {
    id,
    method: 'GET',
    path: `/${id}`,
    tag: 'Organization',
    summary: id,
    access: { kind: 'anyone' },
    effect: 'read',
    reply: { status: 200, description: 'ok', body: Type.Unknown() },
    ...more,
  } as Loose;
}

export const running: Http[] = [];

export async function start(
  routes: readonly (readonly [Loose, Handler<Loose>])[],
  options: {
    storage?: Storage;
    authenticate?: Authenticate;
    recordRefusal?: RecordRefusal;
    limits?: Partial<HttpLimits>;
    requestsPerMinute?: number;
    trustedProxies?: TrustedProxies;
    unserved?: Operation[];
    tls?: CertificateFiles;
    log?: Log;
    onResponse?: AppOptions['onResponse'];
    consoleDir?: string;
    guideDir?: string;
    /** Serves operations whose types are not loose. */
    serveMore?: (serve: Http['serve']) => void;
  } = {},
): Promise<string> {
  const http = createHttp({
    tls: options.tls ?? null,
    log: options.log ?? createLog('silent'),
    clock: systemClock,
    keyring: createKeyring(Buffer.alloc(32)),
    storage: options.storage ?? noStorage,
    trustedProxies: options.trustedProxies ?? NO_PROXIES,
    // The test shares the server's event loop and may keep it busy itself.
    limits: { ...HTTP_LIMITS, maxLagMs: 60_000, ...options.limits },
    authenticate:
      options.authenticate ??
      (() => Promise.reject(new Failure('UNAUTHENTICATED', 'Nobody is known here.'))),
    recordChanges: () => Promise.resolve(),
    recordRefusal: options.recordRefusal ?? (() => undefined),
    responseCache: createResponseCache(systemClock),
    requestLimit: createRateLimit(systemClock, {
      limit: options.requestsPerMinute ?? 1_000,
      windowMs: 60_000,
      maxKeys: 10,
    }),
    operations: [...routes.map(([served]) => served), ...(options.unserved ?? [])],
    onResponse: options.onResponse ?? (() => undefined),
    consoleDir: options.consoleDir ?? null,
    guideDir: options.guideDir ?? null,
  });
  running.push(http);
  for (const [served, handler] of routes) http.serve(served, handler);
  options.serveMore?.(http.serve);
  return `http://127.0.0.1:${await http.listen({ host: '127.0.0.1', port: 0 })}`;
}

/** Called by each file that starts one: hooks belong to the file that registers them. */
export function stopAfterEach(): void {
  afterEach(async () => {
    await Promise.all(running.splice(0).map((http) => http.stop()));
  });
}

/** Writes bytes to the server and answers with all that comes back until it closes. */
export function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

export function problemIn(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}
