import type { Operation } from '@fieldwatch/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../runtime/index.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

interface Address {
  readonly url: string;
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** The addresses of operations, and which methods each is served by. */
export interface Addresses {
  add(operation: Pick<Operation, 'method' | 'path'>): void;
  /** Why a request that no operation serves is refused, with `Allow`; null at an unknown address. */
  refusalOf(request: FastifyRequest, reply: FastifyReply): Failure | null;
  /**
   * Refuses what another address would take otherwise: `DELETE /devices/variables` is no request to
   * delete the Device `variables`.
   */
  refuseMistaken(app: FastifyInstance): void;
}

export function createAddresses(): Addresses {
  const known = new Map<string, Address>();
  return {
    add({ method, path }) {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
      const address = known.get(url) ?? { url, segments: url.split('/'), methods: new Set() };
      address.methods.add(method);
      if (method === 'GET') address.methods.add('HEAD');
      known.set(url, address);
    },
    refusalOf(request, reply) {
      const [path = ''] = request.url.split('?', 1);
      const segments = path.split('/');
      const address = [...known.values()].find((each) => isAt(segments, each.segments));
      return address ? refusal(address, request, reply) : null;
    },
    refuseMistaken(app) {
      const all = [...known.values()];
      for (const address of all) {
        const wider = all.filter(
          (each) => each !== address && isAt(address.segments, each.segments),
        );
        const taken = new Set(wider.flatMap(({ methods }) => [...methods]));
        const method = METHODS.filter((each) => taken.has(each) && !address.methods.has(each));
        if (method.length === 0) continue;
        app.route({
          method,
          url: address.url,
          onRequest: (request, reply, done) => done(refusal(address, request, reply)),
          handler: async () => undefined,
        });
      }
    },
  };
}

/** A parameter stands for any text. */
function isAt(segments: readonly string[], pattern: readonly string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, index) =>
      part.startsWith(':') ? segments[index] !== '' : part === segments[index],
    )
  );
}

function refusal({ methods }: Address, { method }: FastifyRequest, reply: FastifyReply): Failure {
  const allow = METHODS.filter((each) => methods.has(each)).join(', ');
  reply.header('allow', allow);
  return new Failure('METHOD_NOT_ALLOWED', `${method} is not allowed here: ${allow}.`);
}
