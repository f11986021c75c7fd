const PREFIX = 'fieldwatch ';

/** The name that the database sessions of a node carry. */
export function sessionName(nodeId: string): string {
  return `${PREFIX}${nodeId}`;
}
