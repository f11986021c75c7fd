export {
  call,
  type Fields,
  fieldsIn,
  type HttpAnswer,
  isDone,
  messageOf,
  parsed,
  RefusedCall,
  send,
  type TheThingsStackServer,
} from './client.ts';
export { connectedGateways, isConnected, type KnownGateway, listGateways } from './gateways.ts';
