import type { Ownership } from '../nodes/index.ts';
import {
  type Clock,
  createOutbound,
  type Keyring,
  type Log,
  type NewId,
  parseAllowed,
} from '../runtime/index.ts';
import type { ChangeListener, Storage } from '../storage/index.ts';
import { type Connections, createConnections } from './connections/index.ts';
import { Publisher, SESSION_LIMITS, type SessionDeps } from './publisher/index.ts';

export interface HomeAssistantDeps extends Pick<SessionDeps, 'listen' | 'latest' | 'version'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly ownership: Ownership;
  readonly settings: { readonly outboundAllow: string; readonly publicUrl: string | null };
}

/** Connections to Home Assistant, and what is published over them. */
export interface HomeAssistant {
  readonly connections: Connections;
  /** Reacts to changes of connections, by any node. */
  readonly changes: ChangeListener;
  /**
   * A Device of the organization, or a Variable of one, was created, changed or deleted; with null,
   * that may be so for all organizations.
   */
  devicesChanged(organizationId: string | null): void;
  start(): void;
  stop(): Promise<void>;
}

export function createHomeAssistant(deps: HomeAssistantDeps): HomeAssistant {
  const { outboundAllow, publicUrl } = deps.settings;
  const publisher = new Publisher({
    ...deps,
    storage: deps.storage.background,
    outbound: createOutbound({ allowed: parseAllowed(outboundAllow) }),
    publicUrl,
    limits: SESSION_LIMITS,
  });
  return {
    connections: createConnections(deps),
    changes: {
      channel: 'fieldwatch_home_assistant',
      onNotification: () => publisher.connectionsChanged(),
      onGap: () => publisher.connectionsChanged(),
    },
    devicesChanged: (organizationId) => publisher.devicesChanged(organizationId),
    start: () => publisher.start(),
    stop: () => publisher.stop(),
  };
}
