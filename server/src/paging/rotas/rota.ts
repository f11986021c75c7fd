import {
  MAX_SHIFT_DAYS,
  type OnCall,
  type Rota,
  type RotaLayer,
  type RotaOverride,
} from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { planOfMembers } from './on-call.ts';
import { shiftsOf } from './shifts.ts';
import type { PersonRow, RotaRow } from './store.ts';
import { warningsOf } from './warnings.ts';

const DAY_MS = 86_400_000;

/** The people whom a rota names, by their ids; only members. */
export type People = ReadonlyMap<string, PersonRow>;

type WrittenLayer = Omit<RotaLayer, 'handoffWeekday' | 'hours'> &
  Partial<Pick<RotaLayer, 'handoffWeekday' | 'hours'>>;

/** As they are stored: ids in lower case, and every field there. */
export function layersOf(written: readonly WrittenLayer[]): RotaLayer[] {
  return written.map(({ handoffWeekday = null, hours = [], userIds, ...layer }) => ({
    ...layer,
    userIds: userIds.map((id) => id?.toLowerCase() ?? null),
    handoffWeekday,
    hours,
  }));
}

export function overridesOf(written: readonly RotaOverride[]): RotaOverride[] {
  return written.map((override) => ({ ...override, userId: override.userId.toLowerCase() }));
}

function nameOf({ name, email }: PersonRow): string {
  return name ?? email;
}

/** The rota as it is edited, without what follows from it. */
export function editedFields(row: RotaRow) {
  const { id, name, description, timeZone, sendsHandoffMail, sendsWeeklySummary } = row;
  return {
    ...{ id, name, description, timeZone, sendsHandoffMail, sendsWeeklySummary },
    layers: [...row.layers],
    overrides: [...row.overrides],
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

export function rotaRecord(row: RotaRow, people: People, now: number): Rota {
  return {
    ...editedFields(row),
    people: [...people.values()].map((person) => {
      return { userId: person.userId, name: nameOf(person), email: person.email };
    }),
    hasCalendarLink: row.hasCalendarLink,
    warnings: warningsOf(row, (id) => people.has(id), now),
  };
}

/** Who is on call at a moment, until when, and who is after that. */
export function onCallRecord(row: RotaRow, people: People, at: number): OnCall {
  const plan = planOfMembers(row, (id) => people.has(id));
  const [current, next] = shiftsOf(plan, at, at + MAX_SHIFT_DAYS * DAY_MS);
  return {
    rotaId: row.id,
    rotaName: row.name,
    at: isoDateTime(at),
    userId: current?.userId ?? null,
    name: personName(people, current?.userId),
    untilDateTime: next ? isoDateTime(next.from) : null,
    nextUserId: next?.userId ?? null,
    nextName: personName(people, next?.userId),
  };
}

export function personName(people: People, userId: string | null | undefined): string | null {
  const person = people.get(userId ?? '');
  return person ? nameOf(person) : null;
}
