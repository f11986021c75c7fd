import { documentErrors } from './json-document.ts';
import type { FieldError } from './problem.ts';

const MAX_KIBIBYTES = 16;

const PATH = 'classificationDetails';
const TEXTS = ['make', 'model', 'serialNumber', 'fuelType'];
const RATINGS = ['ratedKw', 'ratedKva', 'ratedVolts', 'ratedAmps', 'ratedHz'];
const MAX_TEXT_CHARACTERS = 100;
const MAX_RUNNING_HOURS_VARIABLES = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The known settings, for the OpenAPI document. They carry no types: settings are checked for
 * generators alone, and other classifications may use the same keys otherwise.
 */
export const CLASSIFICATION_DETAILS = Object.fromEntries([
  ...TEXTS.map((key) => [key, { description: 'Of a generator: text of 1 to 100 characters' }]),
  ...RATINGS.map((key) => [key, { description: 'Of a generator: a number, 0 or more' }]),
  [
    'runningHoursVariableIds',
    { description: `Of a generator: ids of at most ${MAX_RUNNING_HOURS_VARIABLES} Variables` },
  ],
]);

type Details = Readonly<Record<string, unknown>>;

/** What is wrong with the settings of an Asset of this classification; null settings are fine. */
export function classificationDetailsErrors(type: unknown, details: unknown): FieldError[] {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return [];
  const wrong = documentErrors(PATH, details, MAX_KIBIBYTES);
  if (wrong.length > 0) return wrong;
  return type === 'ELECTRICAL_GENERATOR' ? generatorErrors(details as Details) : [];
}

/** The Variables that count the running hours of a generator whose settings are in order. */
export function runningHoursVariableIds(type: string, details: Details | null): readonly string[] {
  const ids = type === 'ELECTRICAL_GENERATOR' ? details?.runningHoursVariableIds : undefined;
  return Array.isArray(ids) ? ids : [];
}

function generatorErrors(details: Details): FieldError[] {
  const errorsOf = (
    keys: readonly string[],
    errors: (key: string, value: unknown) => FieldError[],
  ) =>
    keys.filter((key) => Object.hasOwn(details, key)).flatMap((key) => errors(key, details[key]));
  return [
    ...errorsOf(TEXTS, (key, value) => refused(key, textError(value))),
    ...errorsOf(RATINGS, (key, value) => refused(key, ratingError(value))),
    ...errorsOf(['runningHoursVariableIds'], idsErrors),
  ];
}

function refused(key: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ path: `${PATH}.${key}`, message }];
}

function idsErrors(key: string, value: unknown): FieldError[] {
  if (!Array.isArray(value)) return refused(key, 'must be an array');
  if (value.length > MAX_RUNNING_HOURS_VARIABLES) {
    return refused(key, `must have at most ${MAX_RUNNING_HOURS_VARIABLES} values`);
  }
  return value.flatMap((id, index) => {
    const isUuid = typeof id === 'string' && UUID.test(id);
    return refused(`${key}[${index}]`, isUuid ? undefined : 'must be a UUID');
  });
}

function textError(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must have at least 1 character';
  if ([...value].length <= MAX_TEXT_CHARACTERS) return undefined;
  return `must have at most ${MAX_TEXT_CHARACTERS} characters`;
}

function ratingError(value: unknown): string | undefined {
  if (typeof value !== 'number') return 'must be a number';
  return value < 0 ? 'must be at least 0' : undefined;
}
