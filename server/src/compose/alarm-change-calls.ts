import type { Membership, Peers } from '../nodes/index.ts';
import type { Log } from '../runtime/index.ts';

interface AlarmChangeCallsDeps {
  readonly membership: Pick<Membership, 'nodes' | 'hasPeers' | 'incarnation'>;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly log: Log;
  /** Another node has committed changes of alarm events of these organizations. */
  readonly onChanged: (organizationIds: readonly string[]) => void;
}

const METHOD = 'alarms-changed';
const CALL_TIMEOUT_MS = 2_000;
const NOTHING = Buffer.alloc(0);

/**
 * Notifies the other nodes of changes of alarm events, so that their subscribers get them at once. A
 * call that is lost costs half a second: each node also looks for changes regularly.
 */
export function createAlarmChangeCalls({
  membership,
  peers,
  log,
  onChanged,
}: AlarmChangeCallsDeps) {
  /** By node that a call is in flight to: organizations that changed since. */
  const waiting = new Map<string, Set<string>>();
  peers.serve(METHOD, async (body) => {
    onChanged(JSON.parse(body.toString()));
    return NOTHING;
  });

  async function send(nodeId: string, organizationIds: ReadonlySet<string>): Promise<void> {
    const later = new Set<string>();
    waiting.set(nodeId, later);
    try {
      const body = Buffer.from(JSON.stringify([...organizationIds]));
      await peers.call(nodeId, METHOD, body, CALL_TIMEOUT_MS);
    } catch (error) {
      log.debug({ err: error, nodeId }, 'a node could not be notified of alarm events');
    }
    waiting.delete(nodeId);
    if (later.size > 0) await send(nodeId, later);
  }

  return {
    notify(organizationIds: readonly string[]): void {
      if (!membership.hasPeers) return;
      for (const { id, lostAt } of membership.nodes) {
        if (id === membership.incarnation.id || lostAt !== null) continue;
        const later = waiting.get(id);
        if (!later) void send(id, new Set(organizationIds));
        else for (const organizationId of organizationIds) later.add(organizationId);
      }
    },
  };
}
