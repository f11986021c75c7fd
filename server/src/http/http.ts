import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Operation } from '@fieldwatch/contract';
import type { FastifyInstance } from 'fastify';
import {
  type Certificate,
  type CertificateFiles,
  endsWithin,
  every,
  type Log,
  listenFailure,
  readCertificate,
  tlsOptions,
  watchCertificate,
} from '../runtime/index.ts';
import { type AppOptions, createApp } from './app.ts';
import { type CallbackRoute, serveCallback } from './callbacks.ts';
import { refuseMissing, serveConsole } from './console.ts';
import { type ExchangeRoute, serveExchange } from './exchange.ts';
import { serveGuide } from './guide.ts';
import type { Serve } from './handler.ts';
import { createAddresses } from './methods.ts';
import { serveReference } from './reference.ts';
import { createServe, type ServeDeps } from './serve.ts';
import { type TakeUpgrade, takeUpgrades } from './upgrades.ts';

const IDLE_CHECK_MS = 50;

export interface Http {
  readonly serve: Serve;
  /** Serves a protocol that is not part of the contract, over POST. */
  serveExchange(route: ExchangeRoute): void;
  /** Serves an address at which other services report, which is not part of the contract. */
  serveCallback(route: CallbackRoute): void;
  /** Hands requests for a WebSocket at this path over. Who takes them also ends them. */
  takeUpgrades(path: string, take: TakeUpgrade): void;
  /** Fails when an operation of the contract has no handler. Answers with the bound port. */
  listen(address: { host: string; port: number }): Promise<number>;
  stop(): Promise<void>;
}

export interface HttpOptions extends Omit<AppOptions, 'certificate' | 'addresses'>, ServeDeps {
  /** The files of a certificate and its key; with them the port speaks TLS. */
  readonly tls: CertificateFiles | null;
  /** Every operation that must have a handler. */
  readonly operations: readonly Operation[];
  /** Where the console is, once it is built. */
  readonly consoleDir: string | null;
  /** Where the documentation is, once it is built. */
  readonly guideDir: string | null;
}

export function createHttp(options: HttpOptions): Http {
  const certificate = options.tls && readCertificate(options.tls, 'FIELDWATCH_HTTP_TLS');
  const addresses = createAddresses();
  const app = createApp({ ...options, certificate, addresses });
  const serveOn = createServe(app, options);
  const served = new Set<Operation>();
  const connections = connectionsOf(app.server);
  const watch = certificate && watchTls(app.server, { ...options, certificate });
  return {
    serve(operation, handler, options) {
      served.add(operation);
      addresses.add(operation);
      serveOn(operation, handler, options);
    },
    serveExchange: (route) => addresses.add(serveExchange(app, options, route)),
    serveCallback: (route) => serveCallback(app, options, route).forEach(addresses.add),
    takeUpgrades: (path, take) => takeUpgrades(app.server, path, options.trustedProxies, take),
    async listen({ host, port }) {
      const missing = options.operations.filter((operation) => !served.has(operation));
      if (missing.length > 0) {
        throw new Error(`operations without a handler: ${missing.map(({ id }) => id).join(', ')}`);
      }
      addresses.refuseMistaken(app);
      serveReference(app);
      await servePages(app, options);
      try {
        await app.listen({ host, port });
      } catch (error) {
        throw listenFailure(error as NodeJS.ErrnoException, {
          setting: 'FIELDWATCH_HTTP_PORT',
          host,
          port,
        });
      }
      const address = app.server.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    async stop() {
      watch?.stop();
      // A connection kept alive past its last answer would hold up the stop, and so would one that
      // a browser made ahead of a request: that one is not idle to Node.
      const closeIdle = () => {
        app.server.closeIdleConnections();
        for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
      };
      const checks = every(IDLE_CHECK_MS, closeIdle, (error) =>
        options.log.warn({ err: error }, 'idle connections could not be closed'),
      );
      checks.start();
      const closed = Promise.resolve(app.close());
      const isClosed = await endsWithin(options.limits.stopTimeoutMs, closed);
      if (!isClosed) app.server.closeAllConnections();
      await closed;
      await checks.stop();
    },
  };
}

async function servePages(app: FastifyInstance, options: HttpOptions): Promise<void> {
  const { consoleDir, guideDir } = options;
  const missing = consoleDir === null ? refuseMissing : await serveConsole(app, consoleDir);
  if (guideDir !== null) await serveGuide(app, guideDir, missing);
}

function watchTls(
  server: object,
  parts: { tls: CertificateFiles | null; certificate: Certificate; log: Log },
) {
  const { tls: files, certificate: current, log } = parts;
  if (!files || !(server instanceof HttpsServer)) return null;
  return watchCertificate({ files, current, log }, (renewed) =>
    server.setSecureContext(tlsOptions(renewed)),
  );
}

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
