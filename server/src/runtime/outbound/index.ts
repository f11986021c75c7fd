export { type Allowed, isAllowanceText, parseAllowed } from './allowed.ts';
export {
  type BrokerAccess,
  brokerAnswer,
  brokerClientOptions,
  brokerClosed,
  connectBroker,
  endBroker,
} from './broker.ts';
export { brokerAddressOf } from './broker-address.ts';
export { OutboundError } from './destination.ts';
export { createOutbound, type Outbound } from './outbound.ts';
