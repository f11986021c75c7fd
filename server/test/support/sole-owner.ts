import type { Ownership } from '../../src/nodes/index.ts';

/** The ownership of a node that is alone. */
export const SOLE_OWNER: Ownership = {
  nodeId: 'sole',
  ownerOf: () => 'sole',
  ownerAt: () => 'sole',
  owns: () => true,
  isSoleOwner: true,
  partitions: null,
  onChange: () => undefined,
};

/** The membership of a node that is alone. */
export const SOLE_MEMBER = {
  nodes: [],
  hasPeers: false,
  incarnation: { id: 'sole', epoch: 1 },
};

/** Of a node that is alone no calls are made. */
export const NO_PEERS = {
  serve: () => undefined,
  call: () => Promise.reject(new Error('There is no other node.')),
};
