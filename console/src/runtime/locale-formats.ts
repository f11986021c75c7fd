/**
 * Dates and numbers in the form of a locale: order of the parts, names of months, 12 or 24 hours,
 * digits and separators. Sentences around them are in the language of the catalogue of strings.
 */
export interface LocaleFormats {
  /** "Nov 15, 2026, 06:13:43 PM", in the viewer's zone. */
  readonly exact: (ms: number) => string;
  /** "06:13:43 PM". */
  readonly clock: (ms: number) => string;
  /** "06:13 PM". */
  readonly minute: (ms: number) => string;
  /** "Sun, Nov 15, 06:13 PM". */
  readonly dayMinute: (ms: number) => string;
  /** "Nov 15". */
  readonly day: (ms: number) => string;
  /** "Sun". */
  readonly weekday: (ms: number) => string;
  /** The ticks of a time axis that are this many seconds apart. The date is shown where it changes. */
  readonly ticks: (times: readonly number[], stepSeconds: number) => string[];
  /** A number with exactly these decimals. */
  readonly fixed: (value: number, decimals: number) => string;
  /** A number with at most these decimals. */
  readonly upTo: (value: number, decimals: number) => string;
  /** A number too small for decimals, or too large to be read digit by digit: "1.230e-5". */
  readonly exponential: (value: number) => string;
  /** The separators of typed numbers, and those of displayed ones that have Latin digits. */
  readonly decimalSeparator: string;
  /** The first day of a week: 1 for Monday to 7 for Sunday. */
  readonly firstWeekday: number;
}

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 28 * DAY_SECONDS;
const MAX_DECIMALS = 20;

/** The formats of the first of these locales that the browser has; its own default without any. */
export function createLocaleFormats(locales?: string | readonly string[]): LocaleFormats {
  const list = typeof locales === 'string' ? locales : locales && [...locales];
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(list, options);
    return (ms: number) => format.format(ms);
  };
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const exact = { year: 'numeric', month: 'short', day: 'numeric', second: '2-digit' } as const;
  const exponent = decimalSeparatorOf(list);
  return {
    exact: dates({ ...exact, ...time }),
    clock: dates({ ...time, second: '2-digit' }),
    minute: dates(time),
    dayMinute: dates({ weekday: 'short', month: 'short', day: 'numeric', ...time }),
    day: dates({ month: 'short', day: 'numeric' }),
    weekday: dates({ weekday: 'short' }),
    ticks: createTicks(dates),
    fixed: createNumbers(list, (decimals) => ({
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })),
    upTo: createNumbers(list, (decimals) => ({ maximumFractionDigits: decimals })),
    exponential: (value) => value.toExponential(3).replace('+', '').replace('.', exponent),
    decimalSeparator: exponent,
    firstWeekday: firstWeekdayOf(new Intl.DateTimeFormat(list).resolvedOptions().locale),
  };
}

type Dates = (options: Intl.DateTimeFormatOptions) => (ms: number) => string;

function createTicks(dates: Dates): LocaleFormats['ticks'] {
  const month = dates({ year: 'numeric', month: 'short' });
  const day = dates({ month: 'short', day: 'numeric' });
  const year = dates({ year: 'numeric' });
  const minute = dates({ hour: '2-digit', minute: '2-digit' });
  const second = dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const withLine = (first: (ms: number) => string, line: (ms: number) => string) => {
    return (times: readonly number[]) => {
      let before = '';
      return times.map((ms) => {
        const context = line(ms);
        const isNew = context !== before;
        before = context;
        return isNew ? `${first(ms)}\n${context}` : first(ms);
      });
    };
  };
  return (times, stepSeconds) => {
    if (stepSeconds >= MONTH_SECONDS) return times.map(month);
    if (stepSeconds >= DAY_SECONDS) return withLine(day, year)(times);
    return withLine(stepSeconds >= 60 ? minute : second, day)(times);
  };
}

/** Formats are expensive to create: one for each number of decimals. */
function createNumbers(
  locales: string | string[] | undefined,
  optionsOf: (decimals: number) => Intl.NumberFormatOptions,
) {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value: number, decimals: number) => {
    const limited = Math.min(MAX_DECIMALS, decimals);
    const format = formats.get(limited) ?? new Intl.NumberFormat(locales, optionsOf(limited));
    formats.set(limited, format);
    return format.format(value);
  };
}

/** A field takes Latin digits only; with others, the point is the separator. */
function decimalSeparatorOf(locales: string | string[] | undefined): string {
  const format = new Intl.NumberFormat(locales);
  if (format.resolvedOptions().numberingSystem !== 'latn') return '.';
  return format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
}

interface WeekInfo {
  readonly firstDay: number;
}

/** A property in some browsers, a function in others, and missing in the rest: Monday then. */
function firstWeekdayOf(tag: string): number {
  const locale: Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo } =
    new Intl.Locale(tag);
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** The formats of the viewer's locale. */
export const localeFormats = createLocaleFormats(globalThis.navigator?.languages);
