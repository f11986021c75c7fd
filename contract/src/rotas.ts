import Type, { type Static } from 'typebox';
import { MAX_SHIFT_DAYS } from './on-call.ts';
import { operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable, oneOf, text } from './schema.ts';
import {
  hoursErrors,
  localDate,
  MAX_WEEKLY_HOURS,
  timeOfDay,
  timeZone,
  timeZoneErrors,
  WEEKDAYS,
  WeeklyHours,
} from './wall-time.ts';

export const ROTATIONS = ['DAILY', 'WEEKLY', 'HOURS'] as const;

const MAX_ROTA_LAYERS = 10;
const MAX_LAYER_USERS = 50;
const MAX_ROTA_OVERRIDES = 100;
const MAX_EVERY = 366;
const MAX_OVERRIDE_DAYS = 366;
const DAY_MS = 86_400_000;

const layerFields = {
  userIds: Type.Array(nullable(Id), {
    minItems: 1,
    maxItems: MAX_LAYER_USERS,
    description: 'In the order of their turns; in a turn of null the layers below apply',
  }),
  rotation: oneOf(ROTATIONS),
  every: Type.Integer({
    minimum: 1,
    maximum: MAX_EVERY,
    description: 'The length of a turn in days, weeks or hours',
  }),
  handoffTime: timeOfDay,
  handoffWeekday: nullable(oneOf(WEEKDAYS)),
  startDate: localDate,
  hours: Type.Array(WeeklyHours, {
    maxItems: MAX_WEEKLY_HOURS,
    description: 'The hours to which the layer is restricted; none means always',
  }),
};

export const RotaLayer = Type.Object(layerFields, closed);
export type RotaLayer = Static<typeof RotaLayer>;

const writtenLayer = Type.Object(
  {
    ...layerFields,
    handoffWeekday: Type.Optional(layerFields.handoffWeekday),
    hours: Type.Optional(layerFields.hours),
  },
  closed,
);

export const RotaOverride = Type.Object(
  { userId: Id, fromDateTime: DateTime, toDateTime: DateTime },
  closed,
);
export type RotaOverride = Static<typeof RotaOverride>;

const writtenLayers = Type.Array(writtenLayer, {
  maxItems: MAX_ROTA_LAYERS,
  description: 'Later layers win over earlier ones',
});
const overrides = Type.Array(RotaOverride, {
  maxItems: MAX_ROTA_OVERRIDES,
  description: 'Win over all layers, the later over the earlier',
});

const ROTA_WARNINGS = ['GAP', 'NOT_A_MEMBER'] as const;

const fields = {
  name: name(1, 100),
  description: nullable(text(0, 500)),
  timeZone,
  sendsHandoffMail: Type.Boolean({ description: 'A mail to whoever goes on and off call' }),
  sendsWeeklySummary: Type.Boolean({
    description: 'A mail on Mondays at 08:00 to everybody on call in the week',
  }),
};

const Person = Type.Object({ userId: Id, name: Type.String(), email: Type.String() }, closed);

export const Rota = Type.Object(
  {
    id: Id,
    ...fields,
    layers: Type.Array(RotaLayer, { maxItems: MAX_ROTA_LAYERS }),
    overrides,
    people: Type.Array(Person, { description: 'The members whom the rota names' }),
    hasCalendarLink: Type.Boolean(),
    warnings: Type.Array(
      Type.Object({ kind: oneOf(ROTA_WARNINGS), message: Type.String() }, closed),
      { description: `What would leave an alarm unanswered within ${MAX_SHIFT_DAYS} days` },
    ),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Rota = Static<typeof Rota>;

function layerErrors(layer: unknown, prefix: string): FieldError[] {
  const { rotation, handoffWeekday, startDate, hours } = Object(layer) as Record<string, unknown>;
  const errors = hoursErrors(hours, `${prefix}.hours`);
  const hasWeekday = typeof handoffWeekday === 'string';
  const path = `${prefix}.handoffWeekday`;
  if (rotation === 'WEEKLY' && !hasWeekday)
    errors.push({ path, message: 'is required for WEEKLY' });
  if (rotation !== 'WEEKLY' && hasWeekday) errors.push({ path, message: 'is for WEEKLY only' });
  if (typeof startDate === 'string' && !isDate(startDate)) {
    errors.push({ path: `${prefix}.startDate`, message: 'is no day of the calendar' });
  }
  return errors;
}

function isDate(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00.000Z`);
  return Number.isNaN(at) || new Date(at).toISOString().startsWith(date);
}

function overrideErrors(override: unknown, prefix: string): FieldError[] {
  const { fromDateTime, toDateTime } = Object(override) as Record<string, unknown>;
  const lengthMs = Date.parse(String(toDateTime)) - Date.parse(String(fromDateTime));
  const path = `${prefix}.toDateTime`;
  if (lengthMs <= 0) return [{ path, message: 'must be after fromDateTime' }];
  if (lengthMs <= MAX_OVERRIDE_DAYS * DAY_MS) return [];
  return [{ path, message: `must be at most ${MAX_OVERRIDE_DAYS} days after fromDateTime` }];
}

function listErrors(
  list: unknown,
  max: number,
  errorsOf: (each: unknown, index: number) => FieldError[],
): FieldError[] {
  return Array.isArray(list) && list.length <= max ? list.flatMap(errorsOf) : [];
}

function rotaErrors({ body }: Sent): FieldError[] {
  const given = Object(body) as Record<string, unknown>;
  return [
    ...timeZoneErrors(body),
    ...listErrors(given.layers, MAX_ROTA_LAYERS, (each, index) =>
      layerErrors(each, `layers[${index}]`),
    ),
    ...listErrors(given.overrides, MAX_ROTA_OVERRIDES, (each, index) =>
      overrideErrors(each, `overrides[${index}]`),
    ),
  ];
}

const rotas = recordOperations({
  tag: 'Paging',
  path: '/primary/v1/{organizationId}/rotas',
  idName: 'rotaId',
  record: Rota,
  listed: Rota,
  names: ['rota', 'rotas'],
  reading: permission('ReadAlarmConfigurations'),
  managing: permission('ManagePaging'),
});

export const listRotas = operation({
  ...rotas.list,
  id: 'listRotas',
  summary: 'List rotas, newest first',
});

export const retrieveRota = operation({
  ...rotas.retrieve,
  id: 'retrieveRota',
  summary: 'Retrieve a rota with the warnings about it',
});

export const createRota = operation({
  ...rotas.create,
  id: 'createRota',
  summary: 'Create a rota',
  body: Type.Object(
    {
      ...fields,
      description: Type.Optional(fields.description),
      sendsHandoffMail: defaulted(fields.sendsHandoffMail, true),
      sendsWeeklySummary: defaulted(fields.sendsWeeklySummary, false),
      layers: defaulted(writtenLayers, []),
      overrides: defaulted(overrides, []),
    },
    closed,
  ),
  check: rotaErrors,
  failures: ['CONFLICT'],
});

export const updateRota = operation({
  ...rotas.update,
  id: 'updateRota',
  summary: 'Change a rota; given layers and overrides replace the stored ones',
  body: Type.Partial(Type.Object({ ...fields, layers: writtenLayers, overrides }), closed),
  check: rotaErrors,
});

export const deleteRota = operation({
  ...rotas.remove,
  id: 'deleteRota',
  summary: 'Delete a rota',
});
