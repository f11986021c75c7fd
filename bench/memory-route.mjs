// The yardstick: a Fastify route that answers given bytes from memory.
import { createRequire } from 'node:module';

const { fastify } = createRequire(new URL('../server/package.json', import.meta.url))('fastify');
const app = fastify();
const body = process.env.BODY ?? '';
app.get('/', (_, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`ready at http://127.0.0.1:${app.server.address().port}`);
process.on('SIGTERM', () => process.exit(0));
