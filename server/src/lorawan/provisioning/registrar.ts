import type { Outbound } from '../../runtime/index.ts';

/** A sensor as it is registered at a network server. */
export interface Registration {
  readonly devEui: string;
  readonly joinEui: string;
  readonly appKey: string;
  readonly name: string;
  readonly deviceProfileId: string;
  /** Whether it is sent although the sensor is registered already: the user has changed it here. */
  readonly hasNewFields: boolean;
  readonly hasNewKeys: boolean;
}

/** The network server, and the application in it. */
export interface RegistrarDeps {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly url: string;
  readonly token: string;
  readonly applicationId: string;
}

/** Registers sensors at a network server. Each call may be repeated, also after one that broke off. */
export interface Registrar {
  register(sensor: Registration): Promise<void>;
  /** A sensor of another application is left alone. */
  remove(devEui: string): Promise<void>;
}

/** Why a sensor is not registered, and what to do. */
export class ProvisioningError extends Error {
  /** Whether only a person can help: the same call would fail again. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

export const refusedToken = () =>
  new ProvisioningError(
    'The network server refused the API key: give the network one that may change its devices.',
    true,
  );
