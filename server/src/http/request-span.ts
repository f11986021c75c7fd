import type { FastifyReply, FastifyRequest } from 'fastify';
import { type OpenSpan, startSpan } from '../runtime/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** From the admission of the request to its response; null before. */
    span: OpenSpan | null;
  }
}

/** Named after its route and not after its address, which may hold a secret. */
export function startRequestSpan(request: FastifyRequest): OpenSpan {
  const { method, headers, id } = request;
  const { operation } = request.routeOptions.config;
  const route = operation ? { 'http.route': operation.path } : {};
  return startSpan(operation ? `${method} ${operation.path}` : method, {
    kind: 'SERVER',
    headers,
    attributes: {
      'http.request.method': method,
      ...route,
      'fieldwatch.request.id': id,
    },
  });
}

/** A refusal is the client's error, not one of this span. */
export function endRequestSpan(span: OpenSpan, status: number): void {
  span.set({ 'http.response.status_code': status });
  span.end(status >= 500 ? String(status) : undefined);
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** What a handler does belongs to the span of its request. */
export function withinSpan(handle: RouteHandler): RouteHandler {
  return (request, reply) =>
    request.span ? request.span.within(() => handle(request, reply)) : handle(request, reply);
}
