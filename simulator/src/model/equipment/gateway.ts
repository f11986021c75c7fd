import { drift, jitter, seedFor } from '../random.ts';
import { numeric } from '../spec.ts';
import { EPOCH, HOUR, WEEK } from '../time.ts';
import type { Equipment, Plant } from './equipment.ts';

const VARIABLES = [
  numeric('gateway.signal', 'Signal strength', 'dBm'),
  numeric('gateway.uptimeHours', 'Up for', 'h'),
];

/** The gateway reports for all other Devices of its site. It restarts every few weeks. */
export function createGateway({ site }: Plant): Equipment {
  const seed = seedFor(site.seed, 'Gateway');
  const lifeMs = (2 + (Math.abs(seed) % 4)) * WEEK;
  return {
    label: 'Gateway',
    variables: VARIABLES,
    everyIntervals: 6,
    reportsChanges: false,
    assets: [],
    alarms: [],
    valuesAt: (at) => ({
      'gateway.signal': Math.round(-71 + 6 * drift(seed, at, 2 * HOUR) + 2 * jitter(seed + 1, at)),
      'gateway.uptimeHours': Math.floor(((at - EPOCH) % lifeMs) / HOUR),
    }),
  };
}
