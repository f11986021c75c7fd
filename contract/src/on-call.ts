import Type, { type Static } from 'typebox';
import { operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { closed, DateTime, Id, listOf, nullable, paging } from './schema.ts';

/** The longest time of which shifts are listed at once. */
export const MAX_SHIFT_DAYS = 92;
const DAY_MS = 86_400_000;

const Shift = Type.Object(
  {
    userId: nullable(Type.String({ format: 'uuid', description: 'Null where nobody is on call' })),
    name: nullable(Type.String()),
    isGap: Type.Boolean(),
    fromDateTime: DateTime,
    toDateTime: DateTime,
  },
  closed,
);

export const OnCall = Type.Object(
  {
    rotaId: Id,
    rotaName: Type.String(),
    at: DateTime,
    userId: nullable(Id),
    name: nullable(Type.String()),
    untilDateTime: nullable(
      Type.String({
        format: 'date-time',
        description: `Null when later than ${MAX_SHIFT_DAYS} days`,
      }),
    ),
    nextUserId: nullable(Id),
    nextName: nullable(Type.String()),
  },
  closed,
);

export type OnCall = Static<typeof OnCall>;

function shiftRangeErrors({ query }: Sent): FieldError[] {
  const lengthMs = Date.parse(String(query.to)) - Date.parse(String(query.from));
  if (lengthMs <= 0) return [{ path: 'to', message: 'must be after from' }];
  if (!(lengthMs > MAX_SHIFT_DAYS * DAY_MS)) return [];
  return [{ path: 'to', message: `must be at most ${MAX_SHIFT_DAYS} days after from` }];
}

const onePath = '/primary/v1/{organizationId}/rotas/{rotaId}';
const reading = { tag: 'Paging', access: permission('ReadAlarmConfigurations') } as const;

export const listOnCall = operation({
  ...reading,
  id: 'listOnCall',
  method: 'GET',
  path: '/primary/v1/{organizationId}/on-call',
  summary: 'List who is on call now and next in each rota, by the name of the rota',
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: { status: 200, description: 'A page of rotas with who is on call', body: listOf(OnCall) },
});

export const retrieveOnCall = operation({
  ...reading,
  id: 'retrieveOnCall',
  method: 'GET',
  path: `${onePath}/on-call`,
  summary: 'Retrieve who is on call at a moment, and who is next',
  effect: 'read',
  query: Type.Object({ at: Type.Optional(DateTime) }, closed),
  reply: { status: 200, description: 'Who is on call', body: OnCall },
});

export const listShifts = operation({
  ...reading,
  id: 'listShifts',
  method: 'GET',
  path: `${onePath}/shifts`,
  summary: 'List the final shifts of a time with the gaps between them',
  effect: 'read',
  query: Type.Object({ from: DateTime, to: DateTime }, closed),
  check: shiftRangeErrors,
  reply: {
    status: 200,
    description: 'The shifts without a break between them, the first and the last cut to the time',
    body: listOf(Shift),
  },
});
