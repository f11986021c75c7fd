export {
  availabilityOf,
  type DiscoveryOptions,
  discoveryMessage,
  OFFLINE,
  ONLINE,
  type Platform,
  type PublishedDevice,
  platformOf,
  platformOfState,
  stateOf,
} from './discovery.ts';
export { type Topics, topicsOf } from './topics.ts';
