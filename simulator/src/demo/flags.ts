import { wholeNumber } from '../whole-number.ts';

/** The size of a demo. */
export interface DemoFlags {
  readonly sites: number;
  readonly days: number;
  readonly intervalSeconds: number;
  readonly seed: number;
}

export type ParsedDemo =
  | { readonly flags: DemoFlags }
  /** One sentence each, naming the flag. */
  | { readonly problems: readonly string[] };

/** Minimum, maximum and default. */
const BOUNDS = {
  sites: [1, 50, 5],
  days: [0, 30, 3],
  interval: [1, 3_600, 10],
  seed: [0, 2 ** 31 - 1, 1],
} as const;

type Name = keyof typeof BOUNDS;

const NAMES = Object.keys(BOUNDS) as Name[];

/** Reads `--sites 2 --days 1` and the like. */
export function parseDemoFlags(args: readonly string[]): ParsedDemo {
  const problems: string[] = [];
  const values = new Map<Name, number>();
  const left = args.flatMap((each) => each.split('='));
  for (let flag = left.shift(); flag !== undefined; flag = left.shift()) {
    const name = NAMES.find((each) => flag === `--${each}`);
    if (!name) {
      const known = NAMES.map((each) => `--${each}`).join(', ');
      problems.push(`${flag} is no flag of the demo, which has ${known}.`);
      continue;
    }
    const [least, most] = BOUNDS[name];
    const value = wholeNumber(name, left.shift() ?? '', least, most);
    if (typeof value === 'number') values.set(name, value);
    else problems.push(value);
  }
  if (problems.length > 0) return { problems };
  const chosen = (name: Name) => values.get(name) ?? BOUNDS[name][2];
  return {
    flags: {
      sites: chosen('sites'),
      days: chosen('days'),
      intervalSeconds: chosen('interval'),
      seed: chosen('seed'),
    },
  };
}
