import Type, { type Static } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { CONTACT_KINDS, MAX_CONTACT_METHODS } from './contact-methods.ts';
import { operation, type Sent, userOnly } from './operation.ts';
import type { FieldError } from './problem.ts';
import { closed, DateTime, Id, listOf, nullable, oneOf } from './schema.ts';
import {
  hoursErrors,
  MAX_WEEKLY_HOURS,
  timeZone,
  timeZoneErrors,
  WeeklyHours,
} from './wall-time.ts';

/** Quiet hours never hold what is CRITICAL. */
export const QUIET_SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH'] as const;

const MAX_AFTER_SECONDS = 86_400;

const NotificationBand = Type.Object(
  {
    severities: Type.Array(oneOf(SEVERITIES), {
      minItems: 1,
      maxItems: SEVERITIES.length,
      uniqueItems: true,
    }),
    steps: Type.Array(
      Type.Object(
        {
          contactMethodId: Id,
          afterSeconds: Type.Integer({ minimum: 0, maximum: MAX_AFTER_SECONDS }),
        },
        closed,
      ),
      {
        maxItems: MAX_CONTACT_METHODS,
        description: 'None means that the user is not contacted at these severities',
      },
    ),
  },
  closed,
);

export type NotificationBand = Static<typeof NotificationBand>;

const bands = Type.Array(NotificationBand, {
  maxItems: SEVERITIES.length,
  description: 'For other severities: all verified contact methods in their order, a minute apart',
});

export const QuietHours = Type.Object(
  {
    timeZone,
    hours: Type.Array(WeeklyHours, { minItems: 1, maxItems: MAX_WEEKLY_HOURS }),
    upToSeverity: oneOf(QUIET_SEVERITIES),
  },
  closed,
);

export type QuietHours = Static<typeof QuietHours>;

const quietHours = nullable(QuietHours);

export const NotificationRules = Type.Object(
  {
    bands,
    quietHours,
    warnings: Type.Array(Type.String(), {
      description: 'What would keep the user from being contacted, and what to do about it',
    }),
    updatedDateTime: nullable(DateTime),
  },
  closed,
);

export type NotificationRules = Static<typeof NotificationRules>;

function bandErrors(body: unknown): FieldError[] {
  const { bands: given } = Object(body) as { bands?: unknown };
  if (!Array.isArray(given) || given.length > SEVERITIES.length) return [];
  const bandOf = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, band] of given.entries()) {
    const { severities, steps } = Object(band) as { severities?: unknown; steps?: unknown };
    if (!Array.isArray(severities) || severities.length > SEVERITIES.length) continue;
    for (const severity of severities.map(String)) {
      const path = `bands[${index}].severities`;
      const first = bandOf.get(severity) ?? index;
      bandOf.set(severity, first);
      if (first !== index) errors.push({ path, message: `repeats ${severity} of bands[${first}]` });
    }
    if (severities.includes('CRITICAL') && Array.isArray(steps) && steps.length === 0) {
      const message = 'must name a contact method: CRITICAL alarms are never left out';
      errors.push({ path: `bands[${index}].steps`, message });
    }
  }
  return errors;
}

function ruleErrors({ body }: Sent): FieldError[] {
  const { quietHours: quiet } = Object(body) as { quietHours?: unknown };
  const { hours } = Object(quiet) as { hours?: unknown };
  return [
    ...bandErrors(body),
    ...timeZoneErrors(quiet, 'quietHours.'),
    ...hoursErrors(hours, 'quietHours.hours'),
  ];
}

const path = '/primary/v1/{organizationId}/me/notification-rules';
const shared = { tag: 'Paging', access: userOnly('ReadAlarmConfigurations') } as const;
const tagged = {
  status: 200,
  description: 'The notification rules',
  body: NotificationRules,
  tagged: true,
} as const;

export const retrieveNotificationRules = operation({
  ...shared,
  id: 'retrieveNotificationRules',
  method: 'GET',
  path,
  summary: 'Retrieve how and when the user is contacted',
  effect: 'read',
  reply: tagged,
});

export const updateNotificationRules = operation({
  ...shared,
  id: 'updateNotificationRules',
  method: 'PATCH',
  path,
  summary: 'Change how and when the user is contacted; given bands replace the stored ones',
  effect: 'write',
  body: Type.Object({ bands: Type.Optional(bands), quietHours: Type.Optional(quietHours) }, closed),
  check: ruleErrors,
  reply: tagged,
});

export const previewNotificationRules = operation({
  ...shared,
  id: 'previewNotificationRules',
  method: 'GET',
  path: `${path}/preview`,
  summary: 'Retrieve how the user would be contacted about an alarm of a severity at a moment',
  effect: 'read',
  query: Type.Object({ severity: oneOf(SEVERITIES), at: Type.Optional(DateTime) }, closed),
  reply: {
    status: 200,
    description: 'The messages in the order in which they are due',
    body: listOf(
      Type.Object(
        {
          contactMethodId: nullable(
            Type.String({ format: 'uuid', description: 'Null for the email of the account' }),
          ),
          kind: oneOf(CONTACT_KINDS),
          address: Type.String(),
          dueDateTime: DateTime,
        },
        closed,
      ),
    ),
  },
});
