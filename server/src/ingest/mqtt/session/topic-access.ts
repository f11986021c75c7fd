import type { DeviceCache } from '../../../variables/index.ts';
import {
  addressOf,
  deviceTopic,
  isWithinLimits,
  maySubscribe,
  suffixBelow,
} from '../wire/index.ts';
import type { Target } from './topic-cache.ts';

interface Owner {
  readonly organizationId: string;
  readonly deviceId: string;
}

/** Decides where a Device may publish and what it may subscribe to. */
export interface TopicAccess {
  /** Where a topic leads to for a Device; it is a topic that MQTT allows. */
  routeOf(owner: Owner, topic: string): Target;
  maySubscribe(owner: Owner, filter: string): boolean;
}

export const ELSEWHERE = 'The Device may not publish to this topic.';

/** A Device has its own topic and all below it, and those of the Devices whose parent it is. */
export function createTopicAccess(deviceCache: Pick<DeviceCache, 'handle'>): TopicAccess {
  return {
    routeOf({ organizationId, deviceId }, topic) {
      const device = deviceCache.handle(deviceId);
      const refused = (refusal: string) => ({ topic, device, suffix: '', isOwn: false, refusal });
      if (!isWithinLimits(topic)) return refused('The topic is too long or too deep.');
      const own = suffixBelow(deviceTopic(organizationId, deviceId), topic);
      if (own !== null) return { topic, device, suffix: own, isOwn: true, refusal: null };
      const address = addressOf(topic);
      if (address?.organizationId !== organizationId) return refused(ELSEWHERE);
      const child = deviceCache.handle(address.deviceId);
      return { topic, device: child, suffix: address.suffix, isOwn: false, refusal: null };
    },
    maySubscribe: ({ organizationId, deviceId }, filter) =>
      maySubscribe(deviceTopic(organizationId, deviceId), filter),
  };
}
