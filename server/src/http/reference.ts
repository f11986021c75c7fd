import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { ERROR_CODES, ERRORS } from '@fieldwatch/contract';
import { openApiDocument } from '@fieldwatch/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { problemUri } from './problem.ts';

/** It says the same in every server of a process, and making it is a good part of a start. */
const DOCUMENT = openApiDocument();

/** Serves the OpenAPI document at `/openapi.json` and its reference at `/docs`, without a CDN. */
export async function serveReference(app: FastifyInstance): Promise<void> {
  const json = JSON.stringify(DOCUMENT);
  app.get('/openapi.json', async (_, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(json),
  );
  const errors = errorsPage();
  app.get('/docs/errors', async (_, reply) =>
    reply.header('content-type', 'text/html; charset=utf-8').send(errors),
  );
  await app.register(swagger, { mode: 'static', specification: { document: DOCUMENT } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: {
      title: 'Fieldwatch API',
      // The top bar of Swagger UI would load documents from any address.
      css: [{ filename: 'fieldwatch.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    uiConfig: { docExpansion: 'none', displayRequestDuration: true, persistAuthorization: false },
  });
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
