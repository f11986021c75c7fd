import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type MissingPage, type Page, pageOf, send, wildcardOf } from './console.ts';

const PREFIX = '/docs/guide';

/**
 * Serves the built documentation. Only files that existed at the start have an address; each is read
 * when it is first requested, since most servers never show most of them.
 */
export async function serveGuide(
  app: FastifyInstance,
  directory: string,
  missing: MissingPage,
): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const paths = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length))
      .map((path) => path.replaceAll('\\', '/')),
  );
  if (!paths.has('/index.html')) return;
  const read = new Map<string, Page>();
  const pageAt = async (path: string) => {
    const page = read.get(path) ?? pageOf(path, await readFile(join(directory, path)));
    read.set(path, page);
    return page;
  };
  // With the slash, so that relative addresses of the first page lead to the others.
  app.get(PREFIX, (_, reply) => reply.redirect(`${PREFIX}/`));
  app.get(`${PREFIX}/*`, async (request, reply) => {
    const path = `/${wildcardOf(request) || 'index.html'}`;
    return paths.has(path) ? send(await pageAt(path), request, reply) : missing(request, reply);
  });
}
