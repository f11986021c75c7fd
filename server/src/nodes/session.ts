import { randomBytes } from 'node:crypto';

const PREFIX = 'fieldwatch ';

/** The name of all database sessions of one start of a node. PostgreSQL keeps 63 characters. */
export function newSessionName(nodeId: string): string {
  return `${PREFIX}${nodeId} ${randomBytes(4).toString('hex')}`;
}

/** The name that sessions of earlier versions carry at every start. */
export function formerSessionName(nodeId: string): string {
  return `${PREFIX}${nodeId}`;
}
