import { tokensOf } from './tokens.ts';
import type { Rule, Violation } from './tree.ts';

/** Words of a private idiom, each with the term of the trade that stands in its place. */
const REFUSED_WORDS: Readonly<Record<string, string>> = {
  anew: 'again, reload',
  answercache: 'response cache',
  courier: 'delivery worker',
  exits: 'rejections',
  folding: 'compaction',
  forget: 'invalidate, delete',
  forgets: 'invalidates, deletes',
  forgotten: 'invalidated, deleted',
  hear: 'handle',
  heard: 'handled',
  holdings: 'series data',
  hurry: 'flush urgency',
  janitor: 'expired-row cleanup',
  keeper: 'engine',
  lattice: 'decimal encoding',
  lid: 'limit',
  lighten: 'release',
  lookout: 'watches',
  lookouts: 'watches',
  patience: 'retry timeout',
  patiently: 'with retries',
  perishable: 'expired rows',
  recheck: 're-authorization',
  resting: 'circuit open',
  resumption: 'replay',
  seats: 'quota',
  settle: 'wait, flush, repair',
  sighting: 'watched reading',
  sightings: 'watched readings',
  speaker: 'device session',
  stretch: 'time slice',
  stretches: 'time slices',
  surroundings: 'environment',
  tails: 'series buffers',
  talk: 'session',
  tally: 'counters',
  tell: 'notify, report',
  telling: 'fan-out',
  tells: 'notifies, reports',
  told: 'notified, log entry',
  unsealed: 'unflushed',
  wish: 'prefetch hint',
};

/** Refused in the server alone: in the console they name a bell icon, a router outlet or a page. */
const REFUSED_IN_SERVER: Readonly<Record<string, string>> = {
  bell: 'wakeable sleep',
  outlet: 'packet writer',
  placed: 'indexed',
  sweep: 'merge, clean up',
  sweeper: 'merge, cleanup',
  welcome: 'startup banner, connack',
};

const ALL_REFUSED = { ...REFUSED_WORDS, ...REFUSED_IN_SERVER };

/** Shapes of names, with what to write instead. */
const REFUSED_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^MOST_/, 'MAX_X'],
  [/^(?:LEAST|FEWEST)_/, 'MIN_X'],
  [/_AT_ONCE$/, 'X_BATCH_SIZE or MAX_CONCURRENT_X'],
  [
    /_(?:A|AN)_(?:SECOND|MINUTE|HOUR|DAY|TICK|TURN|ROUND|BATCH|PAGE|DEVICE|ORGANIZATION)$/,
    'X_PER_Y',
  ],
  [/^(?:is|be)Nice$/, 'low priority'],
  [/^Piece(?:List|s)?$/, 'ChunkMeta'],
  [/^(?:STORAGE|ISSUER)_AWAY$/, 'X_UNAVAILABLE'],
];

/** Released migrations keep their names, and this file names what it refuses. */
const EXEMPT = /^server\/(?:migrations\/|test\/architecture\/word-rules\.ts$)/;

/** Fields of the interface, which keep their names. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['tellsStart', 'tellsEnd']);

/** Words that comments, texts and documents do without; to tell things apart is to distinguish them. */
const REFUSED_IN_PROSE: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/gi, 'again'],
  [/\bheard\b/gi, 'received, seen'],
  [
    /\b(?:tell|tells|telling|told)\b(?!(?:[\s*/]+[^\s.;:]+){0,8}[\s*/]+apart\b)/gi,
    'notify, report, say, show',
  ],
];

/** The samples of the test are of what it refuses. */
const EXEMPT_PROSE = /^server\/(?:migrations\/|test\/architecture\/word-rules(?:\.test)?\.ts$)/;

/** The words of a name: `lastToldAt` and `last-told-at` are `last`, `told`, `at`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
}

function adviceFor(name: string, file: string): string | undefined {
  if (PUBLIC_NAMES.has(name)) return undefined;
  for (const [shape, term] of REFUSED_SHAPES) {
    if (shape.test(name)) return `"${name}" is no name of the trade; write ${term}`;
  }
  const refused = file.startsWith('server/') ? ALL_REFUSED : REFUSED_WORDS;
  const word = wordsOf(name).find((each) => Object.hasOwn(refused, each));
  return word && `"${word}" is no word of the trade; write ${refused[word]}`;
}

/** Identifiers, constants and file names use the terms that engineers of the field know. */
export const wordsAreStandard: Rule = ({ files }) =>
  [...files]
    .filter(([file]) => !EXEMPT.test(file))
    .flatMap(([file, text]) => {
      const ofName = adviceFor(file.replace(/\.(?:test\.)?\w+$/, ''), file);
      const inName = ofName === undefined ? [] : [violation(file, 1, ofName)];
      return [...inName, ...(/\.(?:sql|css)$/.test(file) ? [] : inText(file, text))];
    });

function inText(file: string, text: string): Violation[] {
  const known = file.startsWith('server/') ? KNOWN_IN_SERVER : KNOWN_ELSEWHERE;
  const violations: Violation[] = [];
  for (const { kind, text: name, line } of tokensOf(text)) {
    if (kind !== 'word') continue;
    let advice = known.get(name);
    if (advice === undefined) {
      advice = adviceFor(name, file) ?? null;
      known.set(name, advice);
    }
    if (advice !== null) violations.push(violation(file, line, advice));
  }
  return violations;
}

/** The advice for each name, or null: the same few names stand in all files. */
const KNOWN_IN_SERVER = new Map<string, string | null>();
const KNOWN_ELSEWHERE = new Map<string, string | null>();

/** Comments, texts and documents use standard verbs. */
export const proseIsStandard: Rule = ({ files }) =>
  [...files]
    .filter(([file]) => !EXEMPT_PROSE.test(file))
    .flatMap(([file, text]) =>
      REFUSED_IN_PROSE.flatMap(([pattern, term]) =>
        [...text.matchAll(pattern)].map(({ 0: word, index }) =>
          violation(file, lineOf(text, index), `"${word}" is no word of the trade; write ${term}`),
        ),
      ),
    );

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function violation(file: string, line: number, advice: string): Violation {
  return { file, line, rule: 'words', advice };
}
