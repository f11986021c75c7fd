import { chance, seedFor } from './random.ts';
import { HOUR } from './time.ts';

const LOAD_KINDS = ['offices', 'cooling', 'servers', 'wards', 'machines'] as const;

export type LoadKind = (typeof LOAD_KINDS)[number];

export interface Feeder {
  readonly name: string;
  readonly kind: LoadKind;
  readonly peakKw: number;
}

/** A place with a utility feed, a generator set, a transfer switch and feeders. */
export interface Site {
  readonly name: string;
  readonly seed: number;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  /** Standard time all year: the machines do not use summer time. */
  readonly utcOffsetMs: number;
  readonly generator: { readonly make: string; readonly model: string; readonly ratedKw: number };
  readonly tankLitres: number;
  readonly feeders: readonly Feeder[];
}

interface Place {
  readonly name: string;
  readonly address: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  readonly utcOffsetHours: number;
  readonly feeders: readonly (readonly [name: string, kind: LoadKind, peakKw: number])[];
}

const PLACES: readonly Place[] = [
  {
    name: 'Harbour Cold Store',
    address: 'Pier 7, Hamburg',
    latitude: 53.54,
    longitude: 9.97,
    timeZone: 'Europe/Berlin',
    utcOffsetHours: 1,
    feeders: [
      ['Compressors', 'cooling', 90],
      ['Loading docks', 'machines', 45],
      ['Offices', 'offices', 20],
    ],
  },
  {
    name: 'Saint Anna Hospital',
    address: 'Linden Lane 12, Vienna',
    latitude: 48.22,
    longitude: 16.35,
    timeZone: 'Europe/Vienna',
    utcOffsetHours: 1,
    feeders: [
      ['Wards', 'wards', 120],
      ['Theatres', 'wards', 80],
      ['Chillers', 'cooling', 70],
    ],
  },
  {
    name: 'Northern Data Centre',
    address: 'Fjord Road 3, Oslo',
    latitude: 59.91,
    longitude: 10.75,
    timeZone: 'Europe/Oslo',
    utcOffsetHours: 1,
    feeders: [
      ['Hall A', 'servers', 140],
      ['Hall B', 'servers', 110],
      ['Cooling plant', 'cooling', 80],
    ],
  },
  {
    name: 'Riverside Waterworks',
    address: 'Weir Street 40, Leeds',
    latitude: 53.8,
    longitude: -1.55,
    timeZone: 'Europe/London',
    utcOffsetHours: 0,
    feeders: [
      ['Intake pumps', 'machines', 110],
      ['Treatment', 'machines', 75],
      ['Control building', 'offices', 15],
    ],
  },
  {
    name: 'Old Mill Business Park',
    address: 'Mill Road 1, Porto',
    latitude: 41.15,
    longitude: -8.61,
    timeZone: 'Europe/Lisbon',
    utcOffsetHours: 0,
    feeders: [
      ['House 1', 'offices', 70],
      ['House 2', 'offices', 55],
      ['Workshop', 'machines', 60],
    ],
  },
];

const MODELS = [
  { make: 'Aurora', model: 'AP-300', ratedKw: 300 },
  { make: 'Kestrel', model: 'K400D', ratedKw: 400 },
  { make: 'Norrland', model: 'NG 350', ratedKw: 350 },
] as const;

/** Sites repeat in a large fleet, each time with another name and other random events. */
export function createSite(index: number, fleetSeed: number): Site {
  const place = PLACES[index % PLACES.length] as Place;
  const round = Math.floor(index / PLACES.length);
  const name = round === 0 ? place.name : `${place.name} ${round + 1}`;
  const seed = seedFor(fleetSeed, `site ${index}`);
  const model = MODELS[Math.floor(chance(seed, 1) * MODELS.length)] as (typeof MODELS)[number];
  return {
    name,
    seed,
    address: place.address,
    latitude: place.latitude + round / 50,
    longitude: place.longitude + round / 50,
    timeZone: place.timeZone,
    utcOffsetMs: place.utcOffsetHours * HOUR,
    generator: model,
    tankLitres: model.ratedKw * 4,
    feeders: place.feeders.map(([feeder, kind, peakKw]) => ({ name: feeder, kind, peakKw })),
  };
}
