import { chance, drift, jitter, rounded, seedFor } from './random.ts';
import type { Feeder, LoadKind, Site } from './site.ts';
import { DAY, EPOCH, HOUR, MINUTE, WEEK } from './time.ts';

/** The share of the peak for each hour, on a working day and on a day off. */
const CURVES: Readonly<Record<LoadKind, { readonly work: string; readonly rest: string }>> = {
  // One digit per hour from midnight: tenths of the peak, where 9 means the peak.
  offices: { work: '111112468999888998742211', rest: '111111111222222222211111' },
  cooling: { work: '443333345677899998876554', rest: '443333344566778887765544' },
  servers: { work: '766666677888888888888877', rest: '666666667777777777777766' },
  wards: { work: '444444578999888777776654', rest: '444444466777777666665544' },
  machines: { work: '111112799999789999641111', rest: '111111222222222222111111' },
};

const HOURS = 7 * 24;

export interface LoadCurve {
  /** The power of the feeder while it is energized. */
  kwAt(at: number): number;
  /** The energy since the epoch, without noise: a counter that only rises. */
  kwhAt(at: number): number;
}

function hourly({ kind, peakKw }: Feeder): Float64Array {
  const { work, rest } = CURVES[kind];
  return Float64Array.from({ length: HOURS }, (_, hour) => {
    const tenths = Number((hour >= 5 * 24 ? rest : work)[hour % 24]);
    return (peakKw * (tenths === 9 ? 10 : tenths)) / 10;
  });
}

export function createLoadCurve(site: Site, feeder: Feeder): LoadCurve {
  const seed = seedFor(site.seed, `load ${feeder.name}`);
  const kw = hourly(feeder);
  const next = (hour: number) => kw[(hour + 1) % HOURS] as number;
  const sums = new Float64Array(HOURS + 1);
  for (let hour = 0; hour < HOURS; hour += 1) {
    sums[hour + 1] = (sums[hour] as number) + ((kw[hour] as number) + next(hour)) / 2;
  }
  const place = (at: number) => {
    const local = at - EPOCH + site.utcOffsetMs;
    const inWeek = ((local % WEEK) + WEEK) % WEEK;
    const hour = Math.floor(inWeek / HOUR);
    return { local, hour, way: (inWeek - hour * HOUR) / HOUR };
  };
  return {
    kwAt(at) {
      const { local, hour, way } = place(at);
      const plain = (kw[hour] as number) * (1 - way) + next(hour) * way;
      const dayByDay = 1 + 0.06 * jitter(seed, Math.floor(local / DAY));
      const wandering = 1 + 0.05 * drift(seed + 1, at, 17 * MINUTE) + 0.008 * jitter(seed + 2, at);
      const cycling = feeder.kind === 'cooling' ? cycle(seed + 3, at) : 1;
      return rounded(plain * dayByDay * wandering * cycling, 1);
    },
    kwhAt(at) {
      const { local, hour, way } = place(at);
      const here = kw[hour] as number;
      const partial = here * way + ((next(hour) - here) * way * way) / 2;
      const whole = Math.floor(local / WEEK) * (sums[HOURS] as number);
      return rounded(whole + (sums[hour] as number) + partial, 1);
    },
  };
}

/** A compressor switches on and off. */
function cycle(seed: number, at: number): number {
  return chance(seed, Math.floor(at / (12 * MINUTE))) < 0.4 ? 0.85 : 1;
}
