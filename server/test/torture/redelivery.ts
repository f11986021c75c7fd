import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { makeDevice, makeVariable } from './fleet.ts';
import type { Harness } from './harness.ts';
import { ArrivalSeries, TimedSeries } from './ledger.ts';
import type { Credentials } from './senders.ts';
import type { Station } from './stations.ts';

const ANSWER_LIMIT_MS = 10_000;

/** One connection on which packets are sent as the test wants them, and answers are awaited. */
class RawSession {
  readonly #socket: Socket;
  readonly #parser = mqttPacket.parser();
  readonly #waiting = new Map<string, () => void>();
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#close());
    this.#socket.on('data', (bytes) => this.#parser.parse(bytes));
    this.#parser.on('packet', (packet) => this.#receive(packet));
    this.#parser.on('error', () => this.#socket.destroy());
  }

  send(packet: Packet): void {
    this.#socket.write(mqttPacket.generate(packet));
  }

  /** True when the answer came; false when the connection ended, or nothing came in time. */
  async answer(cmd: string, messageId = 0): Promise<boolean> {
    const name = `${cmd} ${messageId}`;
    const came = new Promise<boolean>((resolve) => {
      if (!this.isOpen) resolve(false);
      this.#waiting.set(name, () => resolve(this.isOpen));
    });
    const late = sleep(ANSWER_LIMIT_MS, false, { ref: false });
    return await Promise.race([came, late]).finally(() => this.#waiting.delete(name));
  }

  end(): void {
    this.#socket.destroy();
  }

  #receive(packet: Packet): void {
    this.#waiting.get(`${packet.cmd} ${packet.messageId ?? 0}`)?.();
  }

  #close(): void {
    this.isOpen = false;
    for (const wake of this.#waiting.values()) wake();
  }
}

async function signIn(port: number, { username, password }: Credentials) {
  const session = new RawSession(port);
  session.send({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 0 },
    ...{ clientId: 'redelivery', username, password: Buffer.from(password) },
  });
  if (await session.answer('connack')) return session;
  session.end();
  return null;
}

/** Sends every message twice, the second time marked as a duplicate, before any acknowledgement. */
export async function makeRedeliveryStation(harness: Harness, everyMs: number): Promise<Station> {
  const credentials = await makeDevice(harness, 'redelivery');
  const timed = new TimedSeries(await makeVariable(harness, credentials.username, 'timed'));
  const counted = new ArrivalSeries(await makeVariable(harness, credentials.username, 'counted'));
  let session: RawSession | null = null;
  let sequence = 0;

  async function deliver(to: RawSession): Promise<boolean> {
    sequence += 1;
    const messageId = 1 + (sequence % 60_000);
    const isTimed = sequence % 2 === 0;
    const timestamp = Date.now();
    const payload = isTimed ? { timestamp, data: { timed: sequence } } : { counted: sequence };
    const qos = isTimed ? 1 : 2;
    if (isTimed) timed.sent(timestamp, sequence);
    // Twice within one QoS 2 handshake is one message.
    else counted.sent(sequence);
    for (const dup of [false, true]) {
      to.send({
        ...{ cmd: 'publish', topic: credentials.topic, payload: JSON.stringify(payload) },
        ...{ qos, dup, messageId, retain: false },
      });
    }
    if (isTimed) {
      if (!(await to.answer('puback', messageId))) return false;
      timed.acknowledged(timestamp, sequence);
      return true;
    }
    if (!(await to.answer('pubrec', messageId))) return false;
    counted.acknowledged(sequence);
    to.send({ cmd: 'pubrel', messageId });
    return await to.answer('pubcomp', messageId);
  }

  return {
    name: 'redelivery',
    series: [timed, counted],
    async run() {
      while (!harness.stopping.aborted) {
        session ??= await signIn(harness.mqtt.port, credentials);
        if (session === null) await sleep(200);
        else if (!(await deliver(session))) {
          session.end();
          session = null;
        } else await sleep(everyMs);
      }
    },
    end: async () => session?.end(),
  };
}
