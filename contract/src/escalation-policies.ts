import Type, { type Static, type TUnsafe } from 'typebox';
import { operation, permission } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { closed, DateTime, defaulted, Id, name, nullable, oneOf, text } from './schema.ts';

export const PAGE_GROUPINGS = ['LOCATION', 'ASSET', 'NONE'] as const;

export type PageGrouping = (typeof PAGE_GROUPINGS)[number];

export const STEP_ENDS = ['ACKNOWLEDGED', 'CLEARED'] as const;

export type StepEnd = (typeof STEP_ENDS)[number];

export const ESCALATION_LIMITS = {
  steps: 20,
  targetsPerStep: 20,
  afterSeconds: 86_400,
  repeat: 9,
  minAcknowledgeTimeoutSeconds: 60,
  maxAcknowledgeTimeoutSeconds: 604_800,
  groupSeconds: 600,
} as const;

const toUser = Type.Object({ kind: oneOf(['USER']), userId: Id }, closed);
const toRota = Type.Object({ kind: oneOf(['ROTA']), rotaId: Id }, closed);
const toAlarmGroup = Type.Object({ kind: oneOf(['ALARM_GROUP']), alarmGroupId: Id }, closed);
const toWebhook = Type.Object({ kind: oneOf(['WEBHOOK']), webhookId: Id }, closed);

export type EscalationTarget =
  | Static<typeof toUser>
  | Static<typeof toRota>
  | Static<typeof toAlarmGroup>
  | Static<typeof toWebhook>;

const EscalationTarget: TUnsafe<EscalationTarget> = Type.Unsafe<EscalationTarget>({
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [toUser, toRota, toAlarmGroup, toWebhook],
});

const afterSeconds = Type.Integer({
  minimum: 0,
  maximum: ESCALATION_LIMITS.afterSeconds,
  description: 'Seconds after the step before it; for the first step, after the page began',
});
const targets = Type.Array(EscalationTarget, {
  minItems: 1,
  maxItems: ESCALATION_LIMITS.targetsPerStep,
  description: 'Who is paged, all at the same time',
});
const stepEnd = {
  ...oneOf(STEP_ENDS),
  description:
    'What ends the step before it is due: `ACKNOWLEDGED` also ends with clearing, `CLEARED` is due even if somebody has acknowledged the page',
};

const EscalationStep = Type.Object({ afterSeconds, targets, unless: stepEnd }, closed);

export type EscalationStep = Static<typeof EscalationStep>;

const steps = { minItems: 1, maxItems: ESCALATION_LIMITS.steps };
const WrittenSteps = Type.Array(
  Type.Object({ afterSeconds, targets, unless: defaulted(stepEnd, 'ACKNOWLEDGED') }, closed),
  steps,
);

const fields = {
  name: name(1, 100),
  description: nullable(text(0, 500)),
  repeat: Type.Integer({
    minimum: 0,
    maximum: ESCALATION_LIMITS.repeat,
    description: 'How often the steps are repeated while nobody acknowledges',
  }),
  acknowledgeTimeoutSeconds: nullable(
    Type.Integer({
      minimum: ESCALATION_LIMITS.minAcknowledgeTimeoutSeconds,
      maximum: ESCALATION_LIMITS.maxAcknowledgeTimeoutSeconds,
      description:
        'So long after an acknowledgement the page starts again if its events are still active; null for never',
    }),
  ),
  groupSeconds: Type.Integer({
    minimum: 0,
    maximum: ESCALATION_LIMITS.groupSeconds,
    description:
      'An event joins a page that began less than this before; 0 begins a page for each event',
  }),
  groupBy: {
    ...oneOf(PAGE_GROUPINGS),
    description: 'Events join a page of the same Location or Asset, or any page of the policy',
  },
};

const Warning = Type.Object(
  {
    path: Type.String({ description: 'The field it is about', examples: ['steps[0].targets[1]'] }),
    message: Type.String({ description: 'What is wrong, and what to do' }),
  },
  closed,
);

export type EscalationWarning = Static<typeof Warning>;

export const EscalationPolicy = Type.Object(
  {
    id: Id,
    ...fields,
    steps: Type.Array(EscalationStep, steps),
    warnings: Type.Array(Warning, {
      description: 'Targets that a page would not reach now, each with what to do',
    }),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type EscalationPolicy = Static<typeof EscalationPolicy>;

const policies = recordOperations({
  tag: 'Paging',
  path: '/primary/v1/{organizationId}/escalation-policies',
  idName: 'policyId',
  record: EscalationPolicy,
  listed: EscalationPolicy,
  names: ['escalation policy', 'escalation policies'],
  reading: permission('ReadAlarmConfigurations'),
  managing: permission('ManagePaging'),
});

export const listEscalationPolicies = operation({
  ...policies.list,
  id: 'listEscalationPolicies',
  summary: 'List escalation policies, newest first',
});

export const retrieveEscalationPolicy = operation({
  ...policies.retrieve,
  id: 'retrieveEscalationPolicy',
  summary: 'Retrieve an escalation policy',
});

export const createEscalationPolicy = operation({
  ...policies.create,
  id: 'createEscalationPolicy',
  summary: 'Create an escalation policy',
  body: Type.Object(
    {
      name: fields.name,
      description: Type.Optional(fields.description),
      steps: WrittenSteps,
      repeat: defaulted(fields.repeat, 0),
      acknowledgeTimeoutSeconds: Type.Optional(fields.acknowledgeTimeoutSeconds),
      groupSeconds: defaulted(fields.groupSeconds, 60),
      groupBy: defaulted(fields.groupBy, 'LOCATION'),
    },
    closed,
  ),
});

export const updateEscalationPolicy = operation({
  ...policies.update,
  id: 'updateEscalationPolicy',
  summary: 'Change an escalation policy; pages that have begun keep the one they began with',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      description: Type.Optional(fields.description),
      steps: Type.Optional(WrittenSteps),
      repeat: Type.Optional(fields.repeat),
      acknowledgeTimeoutSeconds: Type.Optional(fields.acknowledgeTimeoutSeconds),
      groupSeconds: Type.Optional(fields.groupSeconds),
      groupBy: Type.Optional(fields.groupBy),
    },
    closed,
  ),
});

export const deleteEscalationPolicy = operation({
  ...policies.remove,
  id: 'deleteEscalationPolicy',
  summary: 'Delete an escalation policy; its alarm groups stay without one, and its pages go on',
});
