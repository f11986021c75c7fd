import { readFile } from 'node:fs/promises';
import { ERROR_CODES, ERRORS } from '@fieldwatch/contract';
import { openApiDocument } from '@fieldwatch/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { type Page, pageOf, send } from './console.ts';
import { problemUri } from './problem.ts';

const PREFIX = '/docs/static';

/** The bundle contains Swagger UI: it is the same place for the sources and the built server. */
const FOLDER = new URL('../../dist/bundle/reference/', import.meta.url);
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** Swagger UI brings a top bar that would load documents from any address; this layout has none. */
const INITIALIZER = `SwaggerUIBundle(${JSON.stringify({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
})});`;

const INDEX = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fieldwatch API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${PREFIX}/swagger-ui.css">
<link rel="icon" type="image/png" href="${PREFIX}/favicon-32x32.png">
<body><main id="reference"></main>
<script src="${PREFIX}/swagger-ui-bundle.js"></script>
<script src="${PREFIX}/initializer.js"></script></body></html>`;

/**
 * Every server of a process serves the same pages. Each is made when it is first requested: most
 * servers never show them, and making them would be a good part of a start.
 */
const made = new Map<string, Promise<Page>>();

/** Serves the OpenAPI document at `/openapi.json` and its reference at `/docs`, without a CDN. */
export function serveReference(app: FastifyInstance): void {
  const serve = (
    addresses: readonly string[],
    name: string,
    make: () => string | Promise<Buffer>,
  ) => {
    const page = async () => pageOf(name, Buffer.from(await make()));
    for (const address of addresses) {
      app.get(address, async (request, reply) => {
        const known = made.get(name) ?? page();
        made.set(name, known);
        return send(await known, request, reply);
      });
    }
  };
  serve(['/openapi.json'], 'openapi.json', () => JSON.stringify(openApiDocument()));
  serve(['/docs', '/docs/'], 'index.html', () => INDEX);
  serve(['/docs/errors'], 'errors.html', errorsPage);
  serve([`${PREFIX}/initializer.js`], 'initializer.js', () => INITIALIZER);
  for (const file of FILES)
    serve([`${PREFIX}/${file}`], file, () => readFile(new URL(file, FOLDER)));
}

function errorsPage(): string {
  const rows = ERROR_CODES.map(
    (code) =>
      `<tr id="${problemUri(code).split('#')[1]}"><th>${code}</th><td>${ERRORS[code].status}</td><td>${ERRORS[code].title}.</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fieldwatch error codes</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}th,td{text-align:left;padding:.4rem 1rem .4rem 0}:target{background:Mark;color:MarkText}</style>
<h1>Error codes</h1><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${rows.join('')}</table></html>`;
}
