export { GatewayPolls } from './gateway-polls.ts';
