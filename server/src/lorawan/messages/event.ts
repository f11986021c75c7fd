/** A gateway that received an uplink. */
export interface ReceivingGateway {
  readonly id: string;
  readonly rssi: number | null;
  readonly snr: number | null;
}

interface OfSensor {
  /** Upper case. */
  readonly devEui: string;
  readonly name: string | null;
  readonly at: number;
  /** The same for each delivery of one event; null where the network server sends none. */
  readonly id: string | null;
}

export interface Uplink extends OfSensor {
  readonly kind: 'up';
  readonly devAddr: string | null;
  readonly fCnt: number;
  readonly fPort: number;
  /** Null where the network server has no key to decrypt it. */
  readonly bytes: Buffer | null;
  /** What a codec of the network server made of the payload. */
  readonly decoded: object | null;
  readonly gateways: readonly ReceivingGateway[];
  readonly spreadingFactor: number | null;
  readonly frequencyMhz: number | null;
  /** Percent. */
  readonly battery: number | null;
}

export interface Join extends OfSensor {
  readonly kind: 'join';
  readonly devAddr: string | null;
}

export interface Status extends OfSensor {
  readonly kind: 'status';
  readonly battery: number | null;
  readonly margin: number | null;
}

export interface NetworkLog extends OfSensor {
  readonly kind: 'log';
  readonly level: string;
  readonly code: string;
  readonly text: string;
}

export type SensorEvent = Uplink | Join | Status | NetworkLog;

/** The state of a gateway, and what it counted, as values of its Device. */
export interface GatewayEvent {
  readonly kind: 'gateway';
  readonly gatewayEui: string;
  /** Null where the network server does not say. */
  readonly at: number | null;
  readonly isConnected: boolean;
  /** Null where it reports its connection, and no statistics. */
  readonly counts: Readonly<Record<string, number>> | null;
}

export type LorawanEvent = SensorEvent | GatewayEvent;

/** A message that cannot be understood, in words for whoever set the network up. */
export class UnreadableEvent extends Error {}
