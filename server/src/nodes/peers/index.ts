export { bindingOf, type PeerAddress, parsePeerAddress } from './address.ts';
export { decodeFailure, encodeFailure, failedElsewhere } from './failure-codec.ts';
export { PeerUnreachable } from './peer-failures.ts';
export { type Peers, startPeers } from './peers.ts';
export type { PeerHandler } from './served-calls.ts';
