import type { NotificationReasonCode } from '@fieldwatch/contract';
import { toAddress } from '../../src/notify/index.ts';
import type {
  DeliveryFacts,
  Facts,
  PageFacts,
  StepFacts,
} from '../../src/paging/explanation/facts.ts';

/** Facts about one person and one event, of which tests change a few. */
export const AT = Date.parse('2026-11-16T10:00:00.000Z');
export const MINUTE_MS = 60_000;
export const ME = '00000000-0000-7000-8000-000000000001';
export const OTHER = '00000000-0000-7000-8000-000000000002';
export const ROTA = '00000000-0000-7000-8000-000000000003';
export const WINDOW = '00000000-0000-7000-8000-000000000004';
const ORGANIZATION = '00000000-0000-7000-8000-000000000005';
export const PAGE = '00000000-0000-7000-8000-000000000006';
export const GROUP = '00000000-0000-7000-8000-000000000007';

export const EVENT: Facts['event'] = {
  id: '00000000-0000-7000-8000-000000000008',
  alarmId: '00000000-0000-7000-8000-000000000009',
  alarmName: 'Oil pressure low',
  severity: 'HIGH',
  operator: 'LESS_THAN',
  thresholdValue: 3,
  deviceId: OTHER,
  deviceName: 'Generator 1',
  deviceVariableId: OTHER,
  deviceVariableName: 'Oil pressure',
  assetIds: [],
  locationId: null,
  alarmGroupId: GROUP,
  raisedDateTime: new Date(AT).toISOString(),
  raisedValue: 2,
  clearedDateTime: null,
  clearedValue: null,
  clearedReason: null,
  isAcknowledgeable: true,
  acknowledgedDateTime: null,
  acknowledgedBy: null,
  notes: [],
};

export const PROGRESS: Facts['progress'] = {
  isQueued: false,
  heldReason: null,
  heldDueAt: null,
  suppressionName: null,
  wasNotified: false,
};

export const SMS = { id: WINDOW, kind: 'SMS', address: '+436601234567', isVerified: true } as const;

export const FACTS: Facts = {
  organizationId: ORGANIZATION,
  now: AT + 5 * MINUTE_MS,
  hasMail: true,
  event: EVENT,
  person: { userId: ME, email: 'me@example.com', isActive: true },
  wishes: { email: 'me@example.com', methods: [SMS], bands: [], quietHours: null },
  progress: PROGRESS,
  group: { id: GROUP, name: 'Operators', policyName: null },
  isFollowing: false,
  subscriptions: [],
  browsers: [],
  page: null,
  steps: [],
  rotas: new Map(),
  deliveries: [],
};

export const subscriptionTo = (email: string, severities: Facts['event']['severity'][] = []) => ({
  alarmGroupId: GROUP,
  destination: toAddress(ORGANIZATION, email),
  severities,
});

export const USER_STEP = { kind: 'USER', userId: ME } as const;
export const ROTA_STEP = { kind: 'ROTA', rotaId: ROTA } as const;

export function pageOf(
  targets: readonly (typeof USER_STEP | typeof ROTA_STEP)[],
  given: Partial<PageFacts> = {},
): PageFacts {
  return {
    id: PAGE,
    policyName: 'Night shift',
    policy: {
      steps: targets.map((target) => ({
        afterSeconds: 300,
        unless: 'ACKNOWLEDGED',
        targets: [target],
      })),
    },
    state: 'ACTIVE',
    severity: 'HIGH',
    step: null,
    nextStep: 0,
    nextAt: AT + 10 * MINUTE_MS,
    acknowledgedAt: null,
    acknowledgedBy: null,
    endedAt: null,
    ...given,
  };
}

export const ranStep = (target: string, isReached = true): StepFacts => {
  return { loop: 0, step: 0, target, isReached, at: AT };
};

export const rotaOf = (userId: string | null) =>
  new Map([[ROTA, { name: 'Nights', userIds: [ME, OTHER], onCallAt: () => userId }]]);

export const deliveryOf = (given: Partial<DeliveryFacts>): DeliveryFacts => ({
  channel: 'EMAIL',
  address: 'me@example.com',
  state: 'DELIVERED',
  dueAt: AT,
  lastAttemptAt: AT + 1_000,
  lastError: null,
  loop: null,
  step: null,
  userId: null,
  ...given,
});

/** One page that has paged the person at its first step. */
export const PAGED: Partial<Facts> = {
  page: pageOf([USER_STEP], { step: 0, nextStep: 1 }),
  steps: [ranStep(`USER ${ME}`)],
};

/** A page that somebody else acknowledged before the person was paged. */
export const ACKNOWLEDGED = pageOf([USER_STEP], {
  ...{ state: 'ACKNOWLEDGED', acknowledgedBy: 'other@example.com', acknowledgedAt: AT },
});

export const suppressed = (kind: 'MAINTENANCE' | 'TEST' | 'TOPOLOGY') => ({
  ...EVENT,
  suppression: { kind, id: WINDOW },
});

export const held = {
  ...PROGRESS,
  heldReason: 'MAINTENANCE',
  suppressionName: 'Oil change',
} as const;
const QUIET = {
  timeZone: 'UTC',
  upToSeverity: 'HIGH',
  hours: [{ weekday: 'MONDAY', from: '09:00', to: '12:00' }],
} as const;
export const quietHours = { ...QUIET, hours: [...QUIET.hours] };
export const DAY_MS = 24 * 60 * MINUTE_MS;

export const push = { pushId: WINDOW, name: 'Firefox' };

/** One fact that decides, and the reason that names it. */
export interface Case {
  readonly when: string;
  readonly facts: Partial<Facts>;
  readonly reason: { readonly code: NotificationReasonCode } & Record<string, unknown>;
  readonly outcome?: string;
}
