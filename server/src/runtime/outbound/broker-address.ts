import type { SocketAddress } from './socket.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };

/** The address of an MQTT broker; null for a text that is none. */
export function brokerAddressOf(text: string): SocketAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password } = new URL(text);
  const defaultPort = DEFAULT_PORTS[protocol];
  if (defaultPort === undefined || hostname === '' || username !== '' || password !== '') {
    return null;
  }
  return { host: hostname, port: Number(port) || defaultPort, isEncrypted: protocol === 'mqtts:' };
}
