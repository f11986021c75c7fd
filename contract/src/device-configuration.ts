import Type, { type Static } from 'typebox';
import type { FieldError } from './problem.ts';
import { closed, hex, oneOf } from './schema.ts';

export const DEVICE_TYPES = [
  'CONTROLCOM_GATEWAY',
  'CUSTOM_DEVICE',
  'LORAWAN_GATEWAY_CLOUD',
  'LORAWAN_GATEWAY_EDGE',
  'LORAWAN_DEVICE',
] as const;

export type DeviceType = (typeof DEVICE_TYPES)[number];

export const PLAIN_TYPES = ['CONTROLCOM_GATEWAY', 'CUSTOM_DEVICE'] as const;
export const LORAWAN_GATEWAY_TYPES = ['LORAWAN_GATEWAY_CLOUD', 'LORAWAN_GATEWAY_EDGE'] as const;

export const RF_REGIONS = [
  'EU868',
  'US915',
  'AU915',
  'AS923-1',
  'AS923-2',
  'AS923-3',
  'AS923-4',
  'IN865',
  'KR920',
  'CN470',
  'CN779',
  'EU433',
  'RU864',
  'ISM2400',
] as const;

const gatewayConfiguration = {
  gatewayEui: hex(16),
  rfRegion: oneOf(RF_REGIONS),
  subBand: Type.Optional(Type.Integer({ minimum: 1, maximum: 8 })),
};

export const lorawanFields = { devEui: hex(16), appEui: hex(16), appKey: hex(32) };

export const GatewayConfiguration = Type.Object(gatewayConfiguration, closed);
export const LorawanConfiguration = Type.Object(
  {
    ...lorawanFields,
    appKey: Type.String({ description: 'Masked for callers without `UpdateDevice`' }),
  },
  closed,
);

export type GatewayConfiguration = Static<typeof GatewayConfiguration>;

/** What the region asks of `subBand`: US915 needs it, AU915 may have it, no other takes it. */
export function subBandError(configuration: {
  readonly rfRegion?: unknown;
  readonly subBand?: unknown;
}): FieldError | undefined {
  const { rfRegion, subBand } = configuration;
  const path = 'configuration.subBand';
  if (rfRegion === 'US915') {
    return subBand === undefined
      ? { path, message: 'is required when rfRegion is US915' }
      : undefined;
  }
  if (subBand === undefined || rfRegion === 'AU915') return undefined;
  return { path, message: `is not allowed when rfRegion is ${String(rfRegion)}` };
}
