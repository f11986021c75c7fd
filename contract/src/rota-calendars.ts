import Type from 'typebox';
import { anyone, operation, permission } from './operation.ts';
import { closed } from './schema.ts';

const linkPath = '/primary/v1/{organizationId}/rotas/{rotaId}/calendar-link';
const managing = { tag: 'Paging', access: permission('ManagePaging'), effect: 'write' } as const;

export const createRotaCalendarLink = operation({
  ...managing,
  id: 'createRotaCalendarLink',
  method: 'POST',
  path: linkPath,
  summary:
    'Create the address of the calendar of a rota, which ends an earlier one; only this reply contains it',
  reply: {
    status: 200,
    holdsSecrets: true,
    description: 'The secret, and the path of the calendar below the address of the server',
    body: Type.Object({ secret: Type.String(), path: Type.String() }, closed),
  },
});

export const revokeRotaCalendarLink = operation({
  ...managing,
  id: 'revokeRotaCalendarLink',
  method: 'DELETE',
  path: linkPath,
  summary: 'Revoke the address of the calendar of a rota at once',
  reply: { status: 204, description: 'The calendar can no longer be read' },
});

export const readRotaCalendar = operation({
  tag: 'Paging',
  access: anyone,
  id: 'readRotaCalendar',
  method: 'GET',
  path: '/calendars/{token}',
  params: { token: Type.String({ description: 'The secret of the calendar' }) },
  summary: 'Read the shifts of a rota from the last 14 days on, as iCalendar (RFC 5545)',
  effect: 'read',
  reply: {
    status: 200,
    description: 'The calendar; gaps are events that say that nobody is on call',
    body: Type.String(),
    mediaType: 'text/calendar; charset=utf-8',
  },
});
