import pg from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZ_ARRAY = 1185;
/** Left out of the driver's list of known types. */
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0];

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond the safe integers`);
  return value;
}

const ISO_DATESTYLE = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(:\d\d)?$/;

/** The text form of the ISO date style, in any session time zone; microseconds are cut off. */
function parseTimestamptz(text: string): number {
  const [, day, time, fraction = '', hours, minutes = ':00'] = ISO_DATESTYLE.exec(text) ?? [];
  const epochMs = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${hours}${minutes}`);
  if (Number.isNaN(epochMs)) throw new RangeError(`${text} is not a time in the ISO date style`);
  return epochMs;
}

function parseArray<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  const parseTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(
    TEXT_ARRAY,
    'text',
  );
  return (text) => parseTexts(text).map((item) => (item === null ? null : parse(item)));
}

const asText = (text: string): string => text;

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [INT8, parseInt8],
  [INT8_ARRAY, parseArray(parseInt8)],
  [TIMESTAMPTZ, parseTimestamptz],
  [TIMESTAMPTZ_ARRAY, parseArray(parseTimestamptz)],
  [DATE, asText],
  [TIMESTAMP, asText],
]);

/** How the values of a row are read: our parsers first, the driver's for the rest. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : PARSERS.get(oid);
    return ours ?? pg.types.getTypeParser(oid, format as 'text');
  },
};
