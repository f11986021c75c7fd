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

/** A gateway as it is registered at a network server. */
export interface GatewayRegistration {
  readonly eui: string;
  readonly name: string;
  /** Whether the name is sent although the gateway is registered already. */
  readonly hasNewFields: boolean;
}

/**
 * What a gateway that this server has registered is marked with there, and the id of its network: no
 * other is ever removed, because a network depends on its gateways.
 */
export const GATEWAY_MARK = 'fieldwatch-network';

/** The network server, and the application in it. */
export interface RegistrarDeps {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly url: string;
  readonly token: string;
  readonly networkId: string;
  readonly applicationId: string;
}

/** Registers sensors and gateways at a network server. Each call may be repeated, also after one that broke off. */
export interface Registrar {
  register(sensor: Registration): Promise<void>;
  /** A sensor of another application is left alone. */
  remove(devEui: string): Promise<void>;
  registerGateway(gateway: GatewayRegistration): Promise<void>;
  /** A gateway that this server has not registered is left alone. */
  removeGateway(eui: string): Promise<void>;
}

/** Why a sensor or gateway is not registered, and what to do. */
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

/** The network server has it in another place, which only a person may change. */
export const registeredElsewhere = (kind: 'sensor' | 'gateway', where: string, answer = '') =>
  new ProvisioningError(
    `A ${kind} with this EUI is registered ${where}: remove it there first. ${answer}`.trimEnd(),
    true,
  );
