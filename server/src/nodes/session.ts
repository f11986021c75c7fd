const PREFIX = 'fieldwatch ';

/** The name that the database sessions of a node carry. */
export function ownSession(nodeId: string): string {
  return `${PREFIX}${nodeId}`;
}
