/** The topics of one connection. */
export interface Topics {
  /** Whether the server is connected: its last will says that it is not. */
  readonly status: string;
  /** Where Home Assistant says that it has started. */
  readonly birth: string;
  /** Matches the states and the availability of all Devices. */
  readonly retained: string;
  config(deviceId: string): string;
  availability(deviceId: string): string;
  state(deviceId: string, variableId: string): string;
  /** What a state or an availability belongs to; an availability has no Variable. */
  ownerOf(topic: string): { readonly deviceId: string; readonly variableId: string | null } | null;
}

const ROOT = 'fieldwatch-home-assistant';
const AVAILABILITY = 'availability';

export function topicsOf(connectionId: string, discoveryPrefix: string): Topics {
  const base = `${ROOT}/${connectionId}`;
  return {
    status: `${base}/status`,
    birth: `${discoveryPrefix}/status`,
    retained: `${base}/+/+`,
    config: (deviceId) => `${discoveryPrefix}/device/${deviceKey(deviceId)}/config`,
    availability: (deviceId) => `${base}/${deviceId}/${AVAILABILITY}`,
    state: (deviceId, variableId) => `${base}/${deviceId}/${variableId}`,
    ownerOf(topic) {
      const [deviceId, leaf, ...more] = topic.slice(base.length + 1).split('/');
      if (!topic.startsWith(`${base}/`) || !deviceId || !leaf || more.length > 0) return null;
      return { deviceId, variableId: leaf === AVAILABILITY ? null : leaf };
    },
  };
}

/** Identifies a Device in Home Assistant. */
export function deviceKey(deviceId: string): string {
  return `fieldwatch_${deviceId}`;
}
