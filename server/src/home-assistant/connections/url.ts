import { BROKER_URL_RULE, type FieldError } from '@fieldwatch/contract';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
}

/** The address of a broker; null for a text that is none. */
export function brokerAddressOf(text: string): BrokerAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password } = new URL(text);
  const defaultPort = DEFAULT_PORTS[protocol];
  if (defaultPort === undefined || hostname === '' || username !== '' || password !== '') {
    return null;
  }
  return { host: hostname, port: Number(port) || defaultPort, isEncrypted: protocol === 'mqtts:' };
}

/** What the schema cannot check: whether an address can be parsed as a URL. */
export function urlErrors(url: string | undefined): FieldError[] {
  if (url === undefined || brokerAddressOf(url)) return [];
  return [{ path: 'url', message: BROKER_URL_RULE }];
}
