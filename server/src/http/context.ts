import type { Operation } from '@fieldwatch/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../runtime/index.ts';
import { type Format, preferredFormat } from './accept.ts';
import { browserOf } from './browser.ts';

const MAX_USER_AGENT_LENGTH = 300;

/** The request context that every handler gets. */
export function contextOf({ reply }: Operation, clock: Clock, request: FastifyRequest) {
  const offered: Format[] = ['json'];
  if (reply.csv) offered.push('csv');
  if (reply.parquet) offered.push('parquet');
  if (reply.columns) offered.push('columns');
  return {
    requestId: request.id,
    address: request.clientAddress,
    now: clock.now(),
    caller: request.caller,
    format: preferredFormat(request.headers.accept, offered),
    userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    isClientGone: () => request.raw.socket.destroyed,
    browser: browserOf(request.headers),
  };
}
