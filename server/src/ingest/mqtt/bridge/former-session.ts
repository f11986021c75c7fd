import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_TOPICS } from '../wire/index.ts';
import {
  type BrokerAddress,
  type BrokerConnection,
  ConnectFailure,
  connectSession,
} from './connection.ts';
import { Inbox, type InboxDeps } from './inbox.ts';
import { RETRY_MS } from './ordered-publishing.ts';

export interface FormerSessionDeps extends InboxDeps {
  readonly broker: BrokerAddress;
  readonly clientId: string;
  /** Resolves when the sessions of the partitions have their subscriptions. */
  readonly subscribed: () => Promise<void>;
  readonly stopping: AbortSignal;
}

/** The queue of the session is empty when the broker sends nothing for this time. */
const QUIET_MS = 2_000;

/**
 * Takes what is left in the session that servers before version 0.2 had for all Devices, and ends it.
 * Resolves when it is gone. Messages of partitions wait meanwhile, because they are newer.
 */
export async function endFormerSession(deps: FormerSessionDeps): Promise<void> {
  const { stopping, log } = deps;
  while (!stopping.aborted) {
    const inbox = new Inbox(deps);
    try {
      if (await drain(deps, inbox)) return;
    } catch (error) {
      if (error instanceof ConnectFailure && error.reasonCode !== undefined) {
        log.warn({ err: error, clientId: deps.clientId }, 'the MQTT broker refused a client id');
        return;
      }
      log.debug({ err: error }, 'the former session at the MQTT broker is not drained yet');
    } finally {
      await inbox.stop();
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** False when the connection was lost before the queue was empty. */
async function drain(deps: FormerSessionDeps, inbox: Inbox): Promise<boolean> {
  const { broker, clientId, log } = deps;
  await deps.ready();
  let received = 0;
  const onMessage = (message: Parameters<Inbox['receive']>[0]) => {
    received += 1;
    inbox.receive(message);
  };
  const connection = await connectSession(broker, { clientId, onMessage });
  try {
    if (connection.isSessionPresent) {
      // Only once the new sessions have their subscriptions: no message falls between.
      await Promise.race([deps.subscribed(), connection.closed]);
      await connection.unsubscribe([ALL_TOPICS]);
      if (!(await isQuiet(connection, () => ({ received, pending: inbox.pending }), deps))) {
        return false;
      }
      log.info({ messages: received }, 'the former session at the MQTT broker is drained');
    }
    await connection.endSession();
    return true;
  } finally {
    await connection.end();
  }
}

/** Resolves with true when nothing came for a while and all is answered. */
async function isQuiet(
  connection: BrokerConnection,
  counts: () => { readonly received: number; readonly pending: number },
  { stopping }: FormerSessionDeps,
): Promise<boolean> {
  for (let before = -1; ; ) {
    if (connection.isClosed || stopping.aborted) return false;
    const { received, pending } = counts();
    if (received === before && pending === 0) return true;
    before = received;
    await sleep(QUIET_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
