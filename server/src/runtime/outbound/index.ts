export { type Allowed, isAllowanceText, parseAllowed } from './allowed.ts';
export { createOutbound, type Outbound, OutboundError } from './outbound.ts';
