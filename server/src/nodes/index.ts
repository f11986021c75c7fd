export { isAlone } from './alone.ts';
export { EpochEnded } from './epoch-ended.ts';
export { type Fence, fenced, guarded } from './fence.ts';
export { readKnownNodeIds, readNodeId } from './identity.ts';
export { allKnow } from './known-migrations.ts';
export { LoadMeter } from './load-meter.ts';
export { Membership, type MembershipHooks } from './membership.ts';
export { createNodes, type Nodes } from './nodes.ts';
export { PARTITION_COUNT, partitionOf } from './partition.ts';
export type { Ownership, OwnershipChange } from './partition-map.ts';
export { PeerChecks } from './peer-checks.ts';
export {
  bindingOf,
  decodeFailure,
  encodeFailure,
  failedElsewhere,
  type PeerAddress,
  type PeerHandler,
  type Peers,
  PeerUnreachable,
  parsePeerAddress,
  startPeers,
} from './peers/index.ts';
export type { NodeReport } from './report.ts';
export { nodeRoutes } from './routes.ts';
export { newSessionName } from './session.ts';
export { deleteAllNodes, type Incarnation, listNodes, type NodeRow } from './store.ts';
