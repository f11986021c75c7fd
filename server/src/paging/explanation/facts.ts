import type {
  AlarmEvent,
  DeliveryChannel,
  DeliveryState,
  EscalationStep,
  PageState,
  Severity,
} from '@fieldwatch/contract';
import type { Subscription } from '../../notify/index.ts';
import type { ContactWishes } from '../contacts/index.ts';
import type { KnownRota } from '../rotas/index.ts';

export interface PersonFacts {
  readonly userId: string;
  readonly email: string;
  /** False until they accept their invitation. */
  readonly isActive: boolean;
}

/** Where the notification of a raised event is. */
export interface ProgressFacts {
  readonly isQueued: boolean;
  readonly heldReason: 'MAINTENANCE' | 'WAIT' | 'TOPOLOGY' | null;
  readonly heldDueAt: number | null;
  /** The reason of the window, or which Device is offline. */
  readonly suppressionName: string | null;
  /** Whether anybody got a message about the event. */
  readonly wasNotified: boolean;
}

export interface GroupFacts {
  readonly id: string;
  readonly name: string;
  readonly policyName: string | null;
}

export interface BrowserFacts {
  readonly pushId: string;
  readonly name: string;
  readonly severities: readonly Severity[];
}

/** A target of a step that was run. */
export interface StepFacts {
  readonly loop: number;
  readonly step: number;
  /** The kind and the id. */
  readonly target: string;
  readonly isReached: boolean;
  readonly at: number;
}

export interface PageFacts {
  readonly id: string;
  readonly policyName: string;
  readonly policy: { readonly steps: readonly EscalationStep[] };
  readonly state: PageState;
  readonly severity: Severity;
  /** The last step that was run. */
  readonly step: number | null;
  readonly nextStep: number | null;
  readonly nextAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
  readonly endedAt: number | null;
}

export interface DeliveryFacts {
  readonly channel: DeliveryChannel;
  readonly address: string;
  readonly state: DeliveryState;
  readonly dueAt: number;
  readonly lastAttemptAt: number | null;
  readonly lastError: string | null;
  /** Null for a message that is not of a page. */
  readonly loop: number | null;
  readonly step: number | null;
  readonly userId: string | null;
}

/** All that decides whether one person is notified of one event. */
export interface Facts {
  readonly organizationId: string;
  readonly now: number;
  readonly hasMail: boolean;
  readonly event: AlarmEvent;
  readonly person: PersonFacts;
  readonly wishes: ContactWishes;
  readonly progress: ProgressFacts;
  /** Null where the event has none, or where it was deleted. */
  readonly group: GroupFacts | null;
  /** Whether the person follows the alarm group. */
  readonly isFollowing: boolean;
  /** Of the alarm group. */
  readonly subscriptions: readonly Subscription[];
  /** Of the person. */
  readonly browsers: readonly BrowserFacts[];
  readonly page: PageFacts | null;
  readonly steps: readonly StepFacts[];
  /** Those of the policy, by their ids. */
  readonly rotas: ReadonlyMap<string, KnownRota>;
  /** To the person, about the event or its page, oldest first. */
  readonly deliveries: readonly DeliveryFacts[];
}
