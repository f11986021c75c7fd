import Type, { type Static } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { DELIVERY_CHANNELS } from './deliveries.ts';
import { operation, permission } from './operation.ts';
import { closed, DateTime, Id, oneOf } from './schema.ts';

export const NOTIFICATION_OUTCOMES = ['NOTIFIED', 'PENDING', 'NOT_NOTIFIED'] as const;

export type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number];

export const NOTIFICATION_REASONS = [
  'INVITATION_OPEN',
  'ALARM_SHELVED',
  'QUEUED',
  'WAITING_FOR_DEVICES_ABOVE',
  'HELD_BY_MAINTENANCE',
  'HELD_BY_TEST',
  'HELD_BY_TOPOLOGY',
  'CLEARED_WHILE_HELD',
  'RELEASED',
  'NO_ALARM_GROUP',
  'ALARM_GROUP_DELETED',
  'IN_ALARM_GROUP',
  'FOLLOWS_ALARM_GROUP',
  'NOT_IN_ALARM_GROUP',
  'SEVERITY_NOT_WANTED',
  'BROWSER',
  'BROWSER_SEVERITY_NOT_WANTED',
  'NO_ESCALATION_POLICY',
  'NO_PAGE',
  'PAGE',
  'PAGED_AT_STEP',
  'ON_CALL_AT_STEP',
  'OTHER_ON_CALL',
  'NOBODY_ON_CALL',
  'REASSIGNED',
  'STEP_PENDING',
  'ACKNOWLEDGED_BEFORE_STEP',
  'RESOLVED_BEFORE_STEP',
  'SUPPRESSED_BEFORE_STEP',
  'NOT_IN_ESCALATION_POLICY',
  'OWN_RULES_NONE',
  'METHOD_NOT_VERIFIED',
  'NO_VERIFIED_METHOD',
  'HELD_BY_QUIET_HOURS',
  'NO_MAIL_SERVER',
  'DELIVERED',
  'DELIVERY_PENDING',
  'DELIVERY_FAILED',
  'DELIVERY_CANCELLED',
  'DELIVERIES_EXPIRED',
] as const;

export type NotificationReasonCode = (typeof NOTIFICATION_REASONS)[number];

const MAX_REASONS = 200;

const NotificationReason = Type.Object(
  {
    code: oneOf(NOTIFICATION_REASONS),
    id: Type.Optional(
      Type.String({ description: 'The window, the event of the Device above, or the page' }),
    ),
    name: Type.Optional(
      Type.String({
        description: 'The alarm group, policy, rota or browser, or why something was held back',
      }),
    ),
    address: Type.Optional(Type.String({ description: 'Where a message goes' })),
    channel: Type.Optional(oneOf(DELIVERY_CHANNELS)),
    severities: Type.Optional(Type.Array(oneOf(SEVERITIES))),
    step: Type.Optional(Type.Integer({ minimum: 0 })),
    loop: Type.Optional(Type.Integer({ minimum: 0 })),
    dateTime: Type.Optional({
      ...DateTime,
      description: 'When it happened, or will happen',
    }),
    actor: Type.Optional(Type.String({ description: 'Who acknowledged' })),
    error: Type.Optional(Type.String({ description: 'Why the last attempt failed' })),
  },
  { ...closed, description: 'Fields that do not apply to the code are left out' },
);

export type NotificationReason = Static<typeof NotificationReason>;

export const NotificationExplanation = Type.Object(
  {
    userId: Id,
    email: Type.String(),
    outcome: oneOf(NOTIFICATION_OUTCOMES),
    reasons: Type.Array(NotificationReason, {
      maxItems: MAX_REASONS,
      description: 'In the order in which a notification passes them',
    }),
  },
  closed,
);

export type NotificationExplanation = Static<typeof NotificationExplanation>;

export const retrieveNotificationExplanation = operation({
  tag: 'Paging',
  id: 'retrieveNotificationExplanation',
  method: 'GET',
  path: '/primary/v1/{organizationId}/alarm-history/{eventId}/notification-explanation',
  summary: 'Explain why a user was notified of an event, or was not',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  query: Type.Object(
    {
      userId: Type.Optional({
        ...Id,
        description: 'Another user than the caller, which needs ManageUsers',
      }),
    },
    closed,
  ),
  reply: { status: 200, description: 'The explanation', body: NotificationExplanation },
});
