import { generate, type Packet, parser } from 'mqtt-packet';

/** 3 and 4 are MQTT 3.1 and 3.1.1. */
export type ProtocolVersion = 3 | 4 | 5;

/** One whole packet, or null when it is malformed. */
export function readPacket(bytes: Buffer, protocolVersion: ProtocolVersion): Packet | null {
  const reader = parser({ protocolVersion });
  let found: Packet | null = null;
  let isBad = false;
  reader.on('packet', (packet) => {
    found = packet;
  });
  reader.on('error', () => {
    isBad = true;
  });
  try {
    reader.parse(bytes);
  } catch {
    return null;
  }
  return isBad ? null : found;
}

export function writePacket(packet: Packet, protocolVersion: ProtocolVersion): Buffer {
  return generate(packet, { protocolVersion });
}
