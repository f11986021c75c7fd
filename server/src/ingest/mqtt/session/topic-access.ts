import type { DeviceCache } from '../../../variables/index.ts';
import {
  addressOf,
  deviceTopic,
  isWithinLimits,
  maySubscribe,
  suffixBelow,
} from '../wire/index.ts';
import type { TopicRoute } from './topic-cache.ts';

interface Owner {
  readonly organizationId: string;
  readonly deviceId: string;
}

/** Authorizes the topics that a Device publishes and subscribes to. */
export interface TopicAccess {
  /** The route of a topic that a Device publishes to; the topic is valid in MQTT. */
  routeOf(owner: Owner, topic: string): TopicRoute;
  maySubscribe(owner: Owner, filter: string): boolean;
}

export const NOT_AUTHORIZED = 'The Device is not authorized to publish to this topic.';

/** A Device has its own topic and all below it, and those of the Devices whose parent it is. */
export function createTopicAccess(deviceCache: Pick<DeviceCache, 'handle'>): TopicAccess {
  return {
    routeOf({ organizationId, deviceId }, topic) {
      const device = deviceCache.handle(deviceId);
      const refused = (refusal: string) => ({ topic, device, suffix: '', isOwn: false, refusal });
      if (!isWithinLimits(topic)) return refused('The topic is too long or has too many levels.');
      const own = suffixBelow(deviceTopic(organizationId, deviceId), topic);
      if (own !== null) return { topic, device, suffix: own, isOwn: true, refusal: null };
      const address = addressOf(topic);
      if (address?.organizationId !== organizationId) return refused(NOT_AUTHORIZED);
      const child = deviceCache.handle(address.deviceId);
      return { topic, device: child, suffix: address.suffix, isOwn: false, refusal: null };
    },
    maySubscribe: ({ organizationId, deviceId }, filter) =>
      maySubscribe(deviceTopic(organizationId, deviceId), filter),
  };
}
