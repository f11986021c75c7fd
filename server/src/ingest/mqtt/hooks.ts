import type { AedesOptions, AedesPublishPacket, Client, ConnectPacket, PublishPacket } from 'aedes';
import type { Outcome } from './outcome.ts';
import { REASONS, SIGN_IN_REFUSALS, type SignInRefusal } from './reasons.ts';
import type { Session, Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { isMalformed, maySubscribe, suffixBelow } from './topic.ts';

export interface HooksDeps {
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly publish: (session: Session, packet: PublishPacket) => Promise<Outcome>;
  /** True for a QoS 2 message that came before on the same connection. */
  readonly isRepeated: (client: object, packet: PublishPacket) => boolean;
  readonly addressOf: (client: Client) => string;
  /** True when no more clients are taken. */
  readonly isFull: () => boolean;
  readonly onRefused: (what: Refused) => void;
}

/** What clients are refused. */
export type Refused = 'signIn' | 'subscription' | 'message';

/** What the broker asks us at each step. */
export function createHooks(deps: HooksDeps) {
  const { sessions, signIn, addressOf, isFull, onRefused } = deps;
  return {
    preConnect(_client, packet, done) {
      scopeClientId(packet);
      done(null, true);
    },
    authenticate(client, username, password, done) {
      const refuse = (refusal: SignInRefusal) => {
        onRefused('signIn');
        done(Object.assign(new Error(refusal.message), refusal), false);
      };
      const presented = { clientId: client.id, username, password, address: addressOf(client) };
      void signIn(presented).then((result) => {
        if (client.closed) return;
        if (!result.device) return refuse(result.refusal);
        if (isFull()) return refuse(SIGN_IN_REFUSALS.unavailable);
        sessions.open(client, result.device);
        done(null, true);
      });
    },
    authorizePublish(client, packet, done) {
      const session = client ? sessions.of(client) : undefined;
      if (session) answerPublish(deps, session, packet, done);
      else done(new Error('there is no session'));
    },
    authorizeSubscribe(client, subscription, done) {
      const session = sessions.of(client);
      const isOwn = session !== undefined && maySubscribe(session.topic, subscription.topic);
      if (isOwn) session.subscribedQos = subscription.qos;
      else onRefused('subscription');
      done(null, isOwn ? subscription : null);
    },
    authorizeForward: (client, packet) => forwarded(sessions.of(client), packet),
  } satisfies AedesOptions;
}

/**
 * Client identifiers are told apart within a Device, so that none takes over the session of
 * another. A session ends with its connection, whatever the client asks for. An absent identifier
 * stays absent: the broker makes one and says which.
 */
function scopeClientId(packet: ConnectPacket): void {
  if (packet.clientId === '') return;
  packet.clientId = `${packet.username ?? ''}:${packet.clientId}`;
  packet.clean = true;
}

type Done = (error?: Error | null) => void;

/** The broker acknowledges when `done` is called: after the commit, and in the order of arrival. */
function answerPublish(
  { publish, isRepeated, onRefused }: HooksDeps,
  session: Session,
  packet: PublishPacket,
  done: Done,
): void {
  packet.retain = false;
  if (isMalformed(packet.topic) || packet.messageId === 0) {
    const reasonCode = packet.messageId === 0 ? REASONS.protocolError : REASONS.topicNameInvalid;
    session.client.disconnect({ reasonCode });
    return;
  }
  if (packet.qos === 2 && isRepeated(session.client, packet)) {
    done();
    return;
  }
  session.acknowledgements.add(publish(session, packet), (outcome) => {
    if (outcome.kind === 'REFUSED') onRefused('message');
    answer(session, packet, outcome, done);
  });
}

function answer({ client }: Session, packet: PublishPacket, outcome: Outcome, done: Done): void {
  const { kind } = outcome;
  if (kind === 'TAKEN') {
    done();
  } else if (client.version === 5 && kind !== 'UNTAKEN') {
    done(new Error(kind === 'REFUSED' ? outcome.reason : 'The message could not be stored.'));
  } else if (kind === 'REFUSED') {
    divert(packet);
    done();
  } else {
    // Without an answer the client sends the message again when it is back.
    client.disconnect({ reasonCode: REASONS.serverBusy });
  }
}

/**
 * Before version 5 nothing but an acknowledgement can be said, and closing the connection would
 * only bring the same message again. It is acknowledged and goes where nobody listens.
 */
function divert(packet: PublishPacket): void {
  packet.topic = '$refused';
  packet.payload = Buffer.alloc(0);
}

/** A Device sees its own topics only, and at most at the quality that it asked for. */
function forwarded(
  session: Session | undefined,
  packet: AedesPublishPacket,
): AedesPublishPacket | null {
  if (!session || session.isRevoked || suffixBelow(session.topic, packet.topic) === null) {
    return null;
  }
  if (packet.qos > session.subscribedQos) packet.qos = session.subscribedQos;
  return packet;
}
