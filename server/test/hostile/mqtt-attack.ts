import { connect, type Socket } from 'node:net';
import { createRandom, type Random } from '../support/random.ts';
import {
  connectBytes,
  type DeviceCredentials,
  mutated,
  type Version,
  validPackets,
} from './mqtt-packets.ts';

export interface MqttAttack {
  readonly port: number;
  readonly packets: number;
  readonly seed: number;
  readonly devices: readonly DeviceCredentials[];
}

export interface MqttAttackReport {
  readonly connections: number;
  readonly packets: number;
  /** Connections that the server kept although the client had ended its half. */
  readonly leftOpen: number;
}

const MAX_CONCURRENT_CONNECTIONS = 16;
const MAX_PACKETS_PER_CONNECTION = 20;
const CLOSE_TIMEOUT_MS = 10_000;

export async function attackMqtt(attack: MqttAttack): Promise<MqttAttackReport> {
  const random = createRandom(attack.seed);
  let left = attack.packets;
  let connections = 0;
  let leftOpen = 0;

  async function keepAttacking(): Promise<void> {
    while (left > 0) {
      const count = Math.min(left, 1 + random.below(MAX_PACKETS_PER_CONNECTION));
      left -= count;
      connections += 1;
      const isClosed = await attackOnce(attack.port, sequence(random, attack.devices, count));
      if (!isClosed) leftOpen += 1;
    }
  }

  await Promise.all(Array.from({ length: MAX_CONCURRENT_CONNECTIONS }, keepAttacking));
  return { connections, packets: attack.packets, leftOpen };
}

/** What one connection sends: mostly a good CONNECT, then packets with damage. */
function sequence(random: Random, devices: readonly DeviceCredentials[], count: number): Buffer[] {
  const version: Version = random.below(2) === 0 ? 4 : 5;
  const device = random.pick(devices);
  const connectPacket = connectBytes(device, version, `hostile-${random.below(1_000)}`);
  const valid = validPackets(device, version);
  const first = random.below(8) === 0 ? mutated(random, connectPacket, valid) : connectPacket;
  const rest = Array.from({ length: count }, () => mutated(random, random.pick(valid), valid));
  return [first, ...rest];
}

/** True when the server has closed its half in time after ours was ended. */
function attackOnce(port: number, packets: readonly Buffer[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const timer = setTimeout(() => finish(socket, false), CLOSE_TIMEOUT_MS);
    const finish = (ended: Socket, isClosed: boolean) => {
      clearTimeout(timer);
      ended.destroy();
      resolve(isClosed);
    };
    socket.on('error', () => undefined);
    socket.on('close', () => finish(socket, true));
    socket.on('connect', () => {
      socket.resume();
      socket.end(Buffer.concat(packets));
    });
  });
}
