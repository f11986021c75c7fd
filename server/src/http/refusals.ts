import type { FastifyRequest } from 'fastify';
import { Failure } from '../runtime/index.ts';
import type { RecordRefusal } from './handler.ts';

/** Records a request that failed because its caller lacks a permission, and no other failure. */
export function noteRefusal(record: RecordRefusal, request: FastifyRequest, error: unknown): void {
  const { caller, clientAddress: address } = request;
  const operation = request.routeOptions.config.operation?.id;
  const code = error instanceof Failure ? error.code : null;
  if (!caller || !operation || (code !== 'PERMISSION_MISSING' && code !== 'USER_REQUIRED')) return;
  const { organizationId } = request.params as Record<string, string>;
  record({ caller, organizationId, operation, code, address });
}
