import type { Duplex } from 'node:stream';
import type { Log } from '../../../runtime/index.ts';
import {
  CONNECT_REFUSALS,
  type ConnectOptions,
  type ConnectRefusal,
  type ControlPacket,
  connack,
  Frames,
  PacketWriter,
  REASONS,
  readConnect,
  readPacket,
  refusalConnack,
  type Will,
} from '../wire/index.ts';
import type { AlarmSubscribers } from './alarm-subscribers.ts';
import type { SignedInKey, SignIn } from './authenticate.ts';
import type { Delivery } from './delivery-queue.ts';
import { DeviceSession, type DeviceSessionDeps } from './device-session.ts';
import type { Session } from './session.ts';
import type { SessionOwner, SessionQuota } from './session-quota.ts';
import type { SignedIn } from './sessions.ts';
import { SubscriberSession } from './subscriber-session.ts';

export interface ConnectionDeps extends DeviceSessionDeps {
  readonly signIn: SignIn;
  readonly alarmSubscribers: AlarmSubscribers;
  readonly quota: SessionQuota;
  readonly newClientId: () => string;
  readonly log: Log;
  readonly maxPacketBytes: number;
  /** The limit for packets before the client has signed in. */
  readonly maxConnectBytes: number;
  readonly connectTimeoutMs: number;
}

interface Client {
  readonly stream: Duplex;
  readonly address: string;
  /** The CONNECT has arrived. */
  readonly onIdentified: () => void;
  /** The client has signed in. */
  readonly onSignedIn: () => void;
}

/** How long a client has to receive the last packet. */
const CLOSING_MS = 1_000;
const KEEP_ALIVE_FACTOR = 1_500;
const CONNECT_HEADER = 0x10;
const PUBLISH_TYPE = 3;
const DISCONNECT_WITH_WILL = 0x04;

interface OpenSession {
  readonly session: Session;
  readonly owner: SessionOwner;
  readonly options: ConnectOptions;
}

/** The connection of one client. Packets are processed one at a time, in their order. */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #client: Client;
  readonly #frames: Frames;
  readonly #writer: PacketWriter;
  /** Undefined until the client has signed in. */
  #open: OpenSession | undefined;
  #will: Will | null = null;
  #receivedAt = 0;
  #isPaused = false;
  #isSigningIn = false;
  #isClosed = false;
  #timer: NodeJS.Timeout;

  constructor(deps: ConnectionDeps, client: Client) {
    const { stream } = client;
    this.#deps = deps;
    this.#client = client;
    this.#frames = new Frames(deps.maxConnectBytes);
    this.#writer = new PacketWriter(stream);
    this.#timer = setTimeout(() => stream.destroy(), deps.connectTimeoutMs);
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => undefined);
    stream.once('close', () => {
      this.#end();
      clearTimeout(this.#timer);
    });
  }

  /** Resolves when every accepted message is acknowledged. */
  answered(): Promise<void> {
    return this.#open?.session.answered() ?? Promise.resolve();
  }

  close(reasonCode: number): void {
    if (this.#isClosed) return;
    if (this.#open && this.#writer.version === 5) {
      this.#writer.send({ cmd: 'disconnect', reasonCode });
    }
    this.#finish();
  }

  destroy(): void {
    this.#client.stream.destroy();
  }

  #finish(): void {
    if (this.#isClosed) return;
    const { stream } = this.#client;
    this.#writer.flush();
    this.#end();
    stream.end();
    // Further bytes of the client are read and dropped: with unread bytes the system would discard
    // the last packet.
    stream.resume();
    this.#timer = setTimeout(() => stream.destroy(), CLOSING_MS);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (!this.#open) return;
    const { session, owner, options } = this.#open;
    this.#deps.quota.leave(owner);
    session.end(this.#will, this.#deps.clock.now());
    const { undelivered } = session;
    if (Object.values(undelivered).every((count) => count === 0)) return;
    const { kind, id } = owner;
    const { clientId } = options;
    this.#deps.log.warn({ kind, id, clientId, undelivered }, 'an MQTT subscriber missed messages');
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    if (this.#open) this.#timer.refresh();
    this.#receivedAt = this.#deps.clock.now();
    this.#frames.push(chunk);
    if (!this.#isPaused) this.#read();
    // The next read of any connection overwrites the chunk.
    this.#frames.retain();
  }

  /** Processes packets until there are no more, or one of them has to wait. */
  #read(): void {
    const frames = this.#frames;
    while (!this.#isClosed && frames.next()) {
      const type = (frames.bytes[frames.start] as number) >> 4;
      const wait =
        type === PUBLISH_TYPE && this.#open
          ? this.#open.session.publish(frames, this.#receivedAt)
          : this.#control();
      if (wait !== undefined) {
        this.#pauseUntil(wait);
        return;
      }
    }
    if (frames.problem) {
      const isLarge = frames.problem === 'TOO_LARGE';
      this.close(isLarge ? REASONS.packetTooLarge : REASONS.malformedPacket);
    } else if (this.#writer.isBlocked) {
      // The server reads nothing from a client that does not read.
      this.#pauseUntil(this.#writer.drained());
    }
  }

  #pauseUntil(wait: Promise<void>): void {
    this.#isPaused = true;
    this.#client.stream.pause();
    void wait.then(() => {
      this.#isPaused = false;
      if (this.#isClosed) return;
      this.#read();
      if (!this.#isPaused) this.#client.stream.resume();
    });
  }

  #control(): Promise<void> | undefined {
    const { bytes, start, content, end } = this.#frames;
    if (!this.#open) {
      if (bytes[start] !== CONNECT_HEADER || this.#isSigningIn) return void this.destroy();
      this.#isSigningIn = true;
      this.#client.onIdentified();
      return this.#signIn(Buffer.from(bytes.subarray(content, end)));
    }
    const packet = readPacket(bytes, this.#frames, this.#writer.version);
    if (typeof packet === 'number') return void this.close(packet);
    if (packet.cmd === 'disconnect') return this.#leave(packet, this.#open.options);
    const fault = this.#open.session.handlePacket(packet);
    if (fault !== undefined) this.close(fault);
    return undefined;
  }

  #leave(
    packet: Extract<ControlPacket, { cmd: 'disconnect' }>,
    { sessionExpirySeconds }: ConnectOptions,
  ): undefined {
    // A session that ends with its connection cannot be extended.
    if (packet.sessionExpirySeconds > 0 && sessionExpirySeconds === 0) {
      return void this.close(REASONS.protocolError);
    }
    if (packet.reasonCode !== DISCONNECT_WITH_WILL) this.#will = null;
    this.#finish();
  }

  async #signIn(content: Buffer): Promise<void> {
    const connect = readConnect(content);
    this.#writer.version = connect.version;
    if ('refusal' in connect) return this.#refuse(connect.refusal);
    this.#writer.maxPacketBytes = connect.maxPacketBytes;
    const result = await this.#deps.signIn({ ...connect, address: this.#client.address });
    if (this.#isClosed) return;
    const refusal = result.refusal ?? this.#openSession(connect, result);
    if (refusal) this.#refuse(refusal);
  }

  #refuse(refusal: ConnectRefusal): void {
    this.#deps.onRefused('signIn');
    this.#deps.log.debug({ ...refusal }, 'refused an MQTT client');
    const packet = refusalConnack(refusal, this.#writer.version);
    if (packet) this.#writer.send(packet);
    this.#finish();
  }

  #openSession(
    options: ConnectOptions,
    signedIn: { readonly device?: SignedIn; readonly key?: SignedInKey },
  ): ConnectRefusal | null {
    const { device, key } = signedIn;
    const assigned = options.clientId === '' ? this.#deps.newClientId() : null;
    const clientId = assigned ?? options.clientId;
    const packet = connack(options, assigned, this.#deps.maxPacketBytes);
    if (!this.#writer.fits(packet)) return CONNECT_REFUSALS.tooLarge;
    if (device)
      this.#deps.sessions.find(device.deviceId, clientId)?.link.close(REASONS.sessionTakenOver);
    const owner = ownerOf(device, key);
    const refusal = this.#deps.quota.enter(owner);
    if (refusal) return refusal;
    const session = device
      ? this.#deviceSession({ ...options, clientId }, device)
      : this.#subscriberSession(options, key?.authorization ?? '');
    this.#open = { session, owner, options };
    this.#will = device ? options.will : null;
    this.#frames.maxPacketBytes = this.#deps.maxPacketBytes;
    this.#client.onSignedIn();
    this.#writer.send(packet);
    this.#watch(options.keepAliveSeconds);
    return null;
  }

  #deviceSession(options: ConnectOptions, device: SignedIn): Session {
    const link = {
      close: (reasonCode: number) => this.close(reasonCode),
      deliver: (delivery: Delivery) => {
        if (!this.#isClosed) session.deliver(delivery);
      },
    };
    const session = new DeviceSession(this.#deps, {
      session: this.#deps.sessions.open(link, options.clientId, device),
      options,
      writer: this.#writer,
      onFault: link.close,
    });
    return session;
  }

  /** Client identifiers of API keys are not compared: no session state is stored for them. */
  #subscriberSession(options: ConnectOptions, authorization: string): Session {
    return new SubscriberSession({
      ...this.#deps,
      authorization,
      address: this.#client.address,
      options,
      writer: this.#writer,
      onFault: (reasonCode) => this.close(reasonCode),
    });
  }

  /** Closes the connection of a silent client, unless the server itself has paused reading. */
  #watch(keepAliveSeconds: number): void {
    clearTimeout(this.#timer);
    if (keepAliveSeconds === 0) return;
    this.#timer = setTimeout(() => {
      if (this.#isPaused) this.#timer.refresh();
      else this.close(REASONS.keepAliveTimeout);
    }, KEEP_ALIVE_FACTOR * keepAliveSeconds);
  }
}

function ownerOf(device: SignedIn | undefined, key: SignedInKey | undefined): SessionOwner {
  if (device) return { kind: 'DEVICE', id: device.deviceId, group: device.organizationId };
  return { kind: 'KEY', id: key?.id ?? '', group: key?.id ?? '' };
}
