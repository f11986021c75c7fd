/**
 * How many processes a machine gets when nobody says: one on up to two cores. On a larger one every
 * second core, because PostgreSQL works about as much as the server.
 */
export function processCount(configured: number | null, cores: number): number {
  return configured ?? Math.max(1, Math.min(64, cores <= 2 ? 1 : Math.floor(cores / 2)));
}
