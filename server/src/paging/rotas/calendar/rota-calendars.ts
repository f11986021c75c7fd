import { MAX_SHIFT_DAYS, type Operations } from '@fieldwatch/contract';
import { digestOf, generateSecret } from '../../../access/index.ts';
import { changeOf, type Handler } from '../../../http/index.ts';
import { notFound } from '../../../runtime/index.ts';
import type { Storage } from '../../../storage/index.ts';
import { membersOf, planOfMembers } from '../on-call.ts';
import { personName } from '../rota.ts';
import { shiftsOf } from '../shifts.ts';
import { calendarText } from './ical.ts';
import * as store from './store.ts';

/** The shifts of rotas in the calendars of people, by a secret address. */
export interface RotaCalendars {
  readonly createLink: Handler<Operations['createRotaCalendarLink']>;
  readonly revokeLink: Handler<Operations['revokeRotaCalendarLink']>;
  readonly read: Handler<Operations['readRotaCalendar']>;
}

const DAY_MS = 86_400_000;
const PAST_DAYS = 14;

export function createRotaCalendars({ storage }: { readonly storage: Storage }): RotaCalendars {
  return {
    async createLink({ params: { organizationId, rotaId } }, { tx }) {
      const secret = generateSecret();
      const digest = digestOf(secret);
      if (!(await store.setDigest(tx, organizationId, rotaId, digest))) throw notFound('rota');
      const change = { id: rotaId, before: {}, after: { calendarLink: 'created' } };
      const changes = [changeOf(organizationId, 'Rota', change)];
      return { body: { secret, path: `/calendars/${secret}` }, changes };
    },
    async revokeLink({ params: { organizationId, rotaId } }, { tx }) {
      if (!(await store.setDigest(tx, organizationId, rotaId, null))) throw notFound('rota');
      const change = { id: rotaId, before: {}, after: { calendarLink: 'revoked' } };
      return { body: undefined, changes: [changeOf(organizationId, 'Rota', change)] };
    },
    async read({ params: { token } }, { now }) {
      const rota = await store.findByDigest(storage, digestOf(token));
      if (!rota) throw notFound('calendar');
      const people = (await membersOf(storage, [rota]))(rota.organizationId);
      const plan = planOfMembers(rota, (id) => people.has(id));
      const from = now - PAST_DAYS * DAY_MS;
      const events = shiftsOf(plan, from, from + MAX_SHIFT_DAYS * DAY_MS).map((shift) => ({
        uid: `${rota.id}-${shift.from}@fieldwatch`,
        summary: `${personName(people, shift.userId) ?? 'Nobody'} on call: ${rota.name}`,
        ...{ from: shift.from, to: shift.to },
      }));
      return { body: calendarText(rota.name, events, now) };
    },
  };
}
