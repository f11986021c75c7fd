import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { IConnectPacket, Packet } from 'mqtt-packet';
import type { Log } from '../../runtime/index.ts';
import { readPacket } from './control-packet.ts';
import type { Message } from './delivery.ts';
import type { Followers } from './followers.ts';
import { Frames } from './frames.ts';
import { type Introduction, introductionOf, refusalOf, type Will, welcomeOf } from './handshake.ts';
import { ListenerTalk } from './listener-talk.ts';
import { Outlet } from './outlet.ts';
import type { Fault } from './publish-packet.ts';
import { REASONS, SIGN_IN_REFUSALS, type SignInRefusal } from './reasons.ts';
import type { SignedIn } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { Speaker, type SpeakerDeps } from './speaker.ts';

export interface ConnectionDeps extends SpeakerDeps {
  readonly signIn: SignIn;
  readonly followers: Followers;
  /** True when no more clients are taken. */
  readonly isFull: () => boolean;
  readonly newClientId: () => string;
  readonly log: Log;
  readonly maxPacketBytes: number;
  readonly connectTimeoutMs: number;
}

/** How long a client has to take in the last words. */
const CLOSING_MS = 1_000;
const KEEP_ALIVE_FACTOR = 1_500;
const PUBLISH_TYPE = 3;

/** What is spoken with a client once it has signed in. */
interface Talk {
  /** Takes the PUBLISH at which the frames stand. What follows waits for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined;
  /** Answers anything but messages. Tells why the connection is to be closed, if it is. */
  hear(packet: Packet): Fault | undefined;
  /** Resolves when every message that was taken is answered. */
  answered(): Promise<void>;
  /** The connection is gone. */
  end(will: Will | null, now: number): void;
}

/** Bytes from and to one client. One message at a time, in the order in which they came. */
export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #stream: Duplex;
  readonly #address: string;
  readonly #frames: Frames;
  readonly #outlet: Outlet;
  /** Undefined until the client has signed in. */
  #talk: Talk | undefined;
  #will: Will | null = null;
  #receivedAt = 0;
  #isHeld = false;
  #isSigningIn = false;
  #isClosed = false;
  #timer: NodeJS.Timeout;

  constructor(deps: ConnectionDeps, stream: Duplex, address: string) {
    this.#deps = deps;
    this.#stream = stream;
    this.#address = address;
    this.#frames = new Frames(deps.maxPacketBytes);
    this.#outlet = new Outlet(stream);
    this.#timer = setTimeout(() => stream.destroy(), deps.connectTimeoutMs);
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => undefined);
    stream.once('close', () => {
      this.#end();
      clearTimeout(this.#timer);
    });
  }

  /** Resolves when every message that was taken is answered. */
  answered(): Promise<void> {
    return this.#talk?.answered() ?? Promise.resolve();
  }

  close(reasonCode: number): void {
    if (this.#isClosed) return;
    if (this.#talk && this.#outlet.version === 5) {
      this.#outlet.send({ cmd: 'disconnect', reasonCode });
    }
    this.#finish();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#outlet.flush();
    this.#end();
    this.#stream.end();
    // What it still sends is read and dropped: unread bytes would make the system discard our last.
    this.#stream.resume();
    this.#timer = setTimeout(() => this.#stream.destroy(), CLOSING_MS);
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#talk?.end(this.#will, this.#deps.clock.now());
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    if (this.#talk) this.#timer.refresh();
    this.#receivedAt = this.#deps.clock.now();
    this.#frames.push(chunk);
    if (!this.#isHeld) this.#read();
  }

  /** Reads packets until there are no more, or one of them has to wait. */
  #read(): void {
    const frames = this.#frames;
    while (!this.#isClosed && frames.next()) {
      const type = (frames.bytes[frames.start] as number) >> 4;
      const wait =
        type === PUBLISH_TYPE && this.#talk
          ? this.#talk.publish(frames, this.#receivedAt)
          : this.#control();
      if (wait) {
        this.#hold(wait);
        return;
      }
    }
    if (frames.problem) {
      const isLarge = frames.problem === 'TOO_LARGE';
      this.close(isLarge ? REASONS.packetTooLarge : REASONS.malformedPacket);
    } else if (this.#stream.writableNeedDrain) {
      // A client that does not read is not listened to.
      this.#hold(drained(this.#stream));
    }
  }

  #hold(wait: Promise<void>): void {
    this.#isHeld = true;
    this.#stream.pause();
    void wait.then(() => {
      this.#isHeld = false;
      if (this.#isClosed) return;
      this.#read();
      if (!this.#isHeld) this.#stream.resume();
    });
  }

  #control(): Promise<void> | undefined {
    const { bytes, start, end } = this.#frames;
    const packet = readPacket(bytes.subarray(start, end), this.#outlet.version);
    if (packet === null) return void this.close(REASONS.malformedPacket);
    if (this.#talk) return this.#answer(this.#talk, packet);
    if (packet.cmd !== 'connect' || this.#isSigningIn) return void this.destroy();
    this.#isSigningIn = true;
    return this.#signIn(packet);
  }

  #answer(talk: Talk, packet: Packet): undefined {
    if (packet.cmd === 'disconnect') {
      const isWillWanted = packet.reasonCode === 0x04;
      if (!isWillWanted) this.#will = null;
      this.#finish();
      return undefined;
    }
    const fault = talk.hear(packet);
    if (fault !== undefined) this.close(fault);
    return undefined;
  }

  async #signIn(packet: IConnectPacket): Promise<void> {
    const { signIn, isFull } = this.#deps;
    this.#outlet.version = packet.protocolVersion ?? 4;
    const introduction = introductionOf(packet);
    if ('returnCode' in introduction) return this.#refuse(introduction);
    const result = await signIn({ ...introduction, address: this.#address });
    if (this.#isClosed) return;
    if (result.refusal) return this.#refuse(result.refusal);
    if (isFull()) return this.#refuse(SIGN_IN_REFUSALS.unavailable);
    if (result.device) this.#welcomeDevice(introduction, result.device);
    else this.#welcomeListener(introduction, result.authorization);
  }

  #refuse(refusal: SignInRefusal): void {
    this.#deps.onRefused('signIn');
    this.#deps.log.debug({ ...refusal }, 'an MQTT client was refused');
    this.#outlet.send(refusalOf(refusal, this.#outlet.version));
    this.#finish();
  }

  #welcomeDevice(introduction: Introduction, device: SignedIn): void {
    const { sessions, newClientId } = this.#deps;
    const assigned = introduction.clientId === '' ? newClientId() : null;
    const clientId = assigned ?? introduction.clientId;
    sessions.find(device.deviceId, clientId)?.link.close(REASONS.sessionTakenOver);
    const link = {
      close: (reasonCode: number) => this.close(reasonCode),
      deliver: (message: Message, qos: 0 | 1) => {
        if (!this.#isClosed) speaker.deliver(message, qos);
      },
    };
    const speaker = new Speaker(this.#deps, {
      session: sessions.open(link, clientId, device),
      introduction,
      outlet: this.#outlet,
      onFault: link.close,
    });
    this.#will = introduction.will;
    this.#begin(introduction, assigned, speaker);
  }

  /** Each is a client of its own, whatever it calls itself: nothing is kept for any of them. */
  #welcomeListener(introduction: Introduction, authorization: string): void {
    const { followers, onRefused, newClientId } = this.#deps;
    const talk = new ListenerTalk({
      authorization,
      address: this.#address,
      introduction,
      outlet: this.#outlet,
      followers,
      onRefused,
      onFault: (reasonCode) => this.close(reasonCode),
    });
    this.#begin(introduction, introduction.clientId === '' ? newClientId() : null, talk);
  }

  #begin(introduction: Introduction, assignedId: string | null, talk: Talk): void {
    this.#talk = talk;
    this.#outlet.send(welcomeOf(introduction, assignedId, this.#deps.maxPacketBytes));
    this.#watch(introduction.keepAliveSeconds);
  }

  /** A client that stays silent for too long is gone. One that we do not listen to cannot speak. */
  #watch(keepAliveSeconds: number): void {
    clearTimeout(this.#timer);
    if (keepAliveSeconds === 0) return;
    this.#timer = setTimeout(() => {
      if (this.#isHeld) this.#timer.refresh();
      else this.close(REASONS.keepAliveTimeout);
    }, KEEP_ALIVE_FACTOR * keepAliveSeconds);
  }
}

async function drained(stream: Duplex): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(
    () => undefined,
  );
  ended.abort();
}
