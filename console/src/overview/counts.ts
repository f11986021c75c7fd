import { useRead } from '../service/index.ts';

const EVERY_MS = 5_000;

/** The figures of the organization, counted by the service. */
export function useCounts() {
  return useRead('retrieveOverview', {}, { refetchIntervalMs: EVERY_MS });
}
