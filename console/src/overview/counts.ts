import { useRead } from '../service/index.ts';

const EVERY_MS = 5_000;

/** The counts of the organization. */
export function useCounts() {
  return useRead('retrieveOverview', {}, { refetchIntervalMs: EVERY_MS });
}
