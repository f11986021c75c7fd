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
export { connectedGateways, type KnownGateway, listGateways } from './gateways.ts';
