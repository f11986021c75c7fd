// The baseline: Fastify routes that return given bytes from memory.
import { createRequire } from 'node:module';

const { fastify } = createRequire(new URL('../server/package.json', import.meta.url))('fastify');
const app = fastify();

/** The response to the same list or search, for the same request. */
function answer(method, body = '') {
  app.route({
    method,
    url: '/',
    handler: (_, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(body),
  });
}

answer('GET', process.env.LIST_BODY);
answer('POST', process.env.SEARCH_BODY);
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
process.on('SIGTERM', () => process.exit(0));
