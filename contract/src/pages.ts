import Type, { type Static } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { DELIVERY_CHANNELS, DELIVERY_STATES } from './deliveries.ts';
import { linkOperations } from './link-operations.ts';
import { operation, permission, userOnly } from './operation.ts';
import { closed, DateTime, filter, Id, listOf, nullable, oneOf, paging, text } from './schema.ts';

export const PAGE_STATES = [
  'ACTIVE',
  'ACKNOWLEDGED',
  'SUPPRESSED',
  'EXHAUSTED',
  'RESOLVED',
] as const;

export type PageState = (typeof PAGE_STATES)[number];

export const PAGE_LOG_KINDS = [
  'STARTED',
  'JOINED',
  'CHATTERING',
  'RESTARTED',
  'PAGED',
  'NOBODY',
  'REPEATED',
  'ACKNOWLEDGED',
  'EXPIRED',
  'ESCALATED',
  'REASSIGNED',
  'REMINDED',
  'SUPPRESSED',
  'RESUMED',
  'EXHAUSTED',
  'RESOLVED',
] as const;

export type PageLogKind = (typeof PAGE_LOG_KINDS)[number];

const page = {
  id: Id,
  policyId: nullable({ ...Id, description: 'Null for a test' }),
  policyName: Type.String(),
  state: oneOf(PAGE_STATES),
  severity: { ...oneOf(SEVERITIES), description: 'The highest of its events' },
  title: Type.String({ description: 'Its gravest event: the Alarm and the Device' }),
  isTest: Type.Boolean(),
  eventCount: Type.Integer({ minimum: 0 }),
  activeEventCount: Type.Integer({ minimum: 0, description: 'Events that have not cleared' }),
  chatterCount: Type.Integer({
    minimum: 0,
    description: 'Events that joined silently, since their Alarm raised too many',
  }),
  step: nullable(Type.Integer({ minimum: 0, description: 'The last step that was run' })),
  loop: Type.Integer({ minimum: 0 }),
  nextStepDateTime: nullable({ ...DateTime, description: 'Null while it is suppressed, too' }),
  acknowledgedBy: nullable(Type.String({ description: 'The email of the user' })),
  acknowledgedDateTime: nullable(DateTime),
  createdDateTime: DateTime,
  endedDateTime: nullable(DateTime),
};

export const Page = Type.Object(page, closed);

export type Page = Static<typeof Page>;

const PageDelivery = Type.Object(
  {
    id: Id,
    channel: oneOf(DELIVERY_CHANNELS),
    recipient: Type.String({ description: 'The address, or the name of the webhook' }),
    userEmail: nullable(Type.String()),
    step: Type.Integer({ minimum: 0 }),
    loop: Type.Integer({ minimum: 0 }),
    state: oneOf(DELIVERY_STATES),
    attempts: Type.Integer({ minimum: 0 }),
    lastError: nullable(Type.String()),
    dueDateTime: DateTime,
    lastAttemptDateTime: nullable(DateTime),
  },
  closed,
);

export type PageDelivery = Static<typeof PageDelivery>;

const PageEvent = Type.Object(
  {
    eventId: Id,
    alarmName: Type.String(),
    deviceName: Type.String(),
    severity: oneOf(SEVERITIES),
    raisedDateTime: DateTime,
    clearedDateTime: nullable(DateTime),
    acknowledgedBy: nullable(Type.String()),
  },
  closed,
);

export type PageEvent = Static<typeof PageEvent>;

const PageLogEntry = Type.Object(
  {
    kind: oneOf(PAGE_LOG_KINDS),
    dateTime: DateTime,
    actor: nullable(Type.String()),
    detail: nullable(Type.String()),
  },
  closed,
);

export type PageLogEntry = Static<typeof PageLogEntry>;

const MAX_LISTED = 200;

export const PageDetails = Type.Object(
  {
    ...page,
    events: Type.Array(PageEvent, { description: `The ${MAX_LISTED} gravest` }),
    deliveries: Type.Array(PageDelivery, { description: `The last ${MAX_LISTED}, oldest first` }),
    timeline: Type.Array(PageLogEntry, { description: `The last ${MAX_LISTED}, oldest first` }),
  },
  closed,
);

export type PageDetails = Static<typeof PageDetails>;

const path = '/primary/v1/{organizationId}/pages';
const onePath = `${path}/{pageId}` as const;
const tag = 'Paging';
const details = { status: 200, description: 'The page', body: PageDetails } as const;
const handling = {
  tag,
  method: 'POST',
  access: userOnly('AcknowledgeAlarmEvents'),
  effect: 'write',
  reply: details,
  failures: ['CONFLICT'],
} as const;

export const listPages = operation({
  tag,
  id: 'listPages',
  method: 'GET',
  path,
  summary: 'List pages, newest first',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  query: Type.Object(
    { states: Type.Optional(filter(oneOf(PAGE_STATES))), policyId: Type.Optional(Id), ...paging },
    closed,
  ),
  reply: { status: 200, description: 'A page of pages', body: listOf(Page) },
});

export const retrievePage = operation({
  tag,
  id: 'retrievePage',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a page with its events, deliveries and timeline',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  reply: details,
});

export const acknowledgePage = operation({
  ...handling,
  id: 'acknowledgePage',
  path: `${onePath}/acknowledge`,
  summary: 'Acknowledge a page and its events; no further step is run',
});

export const escalatePage = operation({
  ...handling,
  id: 'escalatePage',
  path: `${onePath}/escalate`,
  summary: 'Run the next step of a page at once',
});

export const reassignPage = operation({
  ...handling,
  id: 'reassignPage',
  path: `${onePath}/reassign`,
  summary: 'Page a user at once; the next step waits for them',
  body: Type.Object({ userId: Id, note: Type.Optional(text(1, 500)) }, closed),
});

export const resolvePage = operation({
  ...handling,
  id: 'resolvePage',
  path: `${onePath}/resolve`,
  summary: 'Resolve a page, also while its events are active',
});

export const createTestPage = operation({
  tag,
  id: 'createTestPage',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Page oneself with a message that is marked as a test',
  access: userOnly('ReadAlarmConfigurations'),
  effect: 'write',
  reply: details,
});

const link = linkOperations(
  { tag, path: '/a/{token}' },
  { token: 'The token in the link of a page', confirmed: 'A page that confirms it' },
);

export const showPageLink = operation({
  ...link.show,
  id: 'showPageLink',
  summary: 'Show the page of an acknowledge link; changes nothing',
});

export const acknowledgePageByLink = operation({
  ...link.confirm,
  id: 'acknowledgePageByLink',
  summary: 'Acknowledge the page of a link in the name of the person it was sent to',
});
