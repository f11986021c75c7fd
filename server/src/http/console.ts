import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noSuchAddress } from './problem.ts';

/** The first part of every address that is a page of the console. */
export const CONSOLE_PATHS = [
  'account',
  'administration',
  'alarms',
  'assets',
  'dashboards',
  'devices',
  'invitation',
  'locations',
  'shared',
  'sign-in',
  'variables',
  'welcome',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Files whose names contain a hash of their content never change. */
const HASHED = /^\/static\/.+-[\w-]{8,}\.\w+$/;
const ONE_YEAR = 'public, max-age=31536000, immutable';
const COMPRESSIBLE = /\.(?:css|html|js|json|svg|webmanifest)$/;

export interface Page {
  readonly body: Buffer;
  /** Null where it would not get smaller. Compressed once, for the first client that accepts it. */
  readonly gzipped: () => Promise<Buffer | null>;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
}

/** What answers at an address that is no page. */
export type MissingPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Where there is no console. */
export const refuseMissing: MissingPage = () => {
  throw noSuchAddress();
};

/**
 * Serves the built console from memory: it is small, and only files that were read at the start
 * exist. A server without a built console, as in development, has no pages at all.
 */
export async function serveConsole(app: FastifyInstance, directory: string): Promise<MissingPage> {
  const pages = await readPages(directory);
  const index = pages.get('/index.html');
  if (!index) return refuseMissing;
  const missing = missingPageOf(index);
  pages.delete('/index.html');
  // One route serves them all, since most files of the console are there.
  app.get('/static/*', (request, reply) => {
    const page = pages.get(`/static/${wildcardOf(request)}`);
    return page ? send(page, request, reply) : missing(request, reply);
  });
  for (const [path, page] of pages) {
    if (!path.startsWith('/static/')) app.get(path, (request, reply) => send(page, request, reply));
  }
  app.get('/', (request, reply) => send(index, request, reply));
  for (const path of CONSOLE_PATHS) {
    app.get(`/${path}`, (request, reply) => send(index, request, reply));
    app.get(`/${path}/*`, (request, reply) => send(index, request, reply));
  }
  app.get('/*', missing);
  return missing;
}

/** The part of the path that the wildcard of a route matched. */
export function wildcardOf({ params }: FastifyRequest): string {
  return (params as { readonly '*': string })['*'];
}

/** A browser gets the console's page for missing ones, programs get a problem. */
function missingPageOf(index: Page): MissingPage {
  return (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) throw noSuchAddress();
    return reply
      .code(404)
      .headers({ ...index.headers, 'cache-control': 'no-store', vary: 'accept' })
      .send(index.body);
  };
}

async function readPages(directory: string): Promise<Map<string, Page>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const files = entries.filter((entry) => entry.isFile());
  const pages = await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, Page]> => {
      const file = join(parentPath, name);
      const path = file.slice(directory.length).replaceAll('\\', '/');
      return [path, pageOf(path, await readFile(file))];
    }),
  );
  return new Map(pages.filter(([path]) => !path.startsWith('/.')));
}

export function pageOf(path: string, body: Buffer): Page {
  let gzipped: Promise<Buffer | null> | undefined;
  return {
    body,
    gzipped() {
      gzipped ??= COMPRESSIBLE.test(path) ? compress(body) : Promise.resolve(null);
      return gzipped;
    },
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': HASHED.test(path) ? ONE_YEAR : 'no-cache',
      vary: 'accept-encoding',
    },
  };
}

async function compress(body: Buffer): Promise<Buffer | null> {
  const gzipped = await promisify(gzip)(body, { level: 9 });
  return gzipped.length < body.length ? gzipped : null;
}

export async function send(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body, headers, etag } = page;
  reply.headers(headers).header('etag', etag);
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  const takesGzip = /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  );
  const gzipped = takesGzip ? await page.gzipped() : null;
  if (gzipped === null) return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
