import type { Membership } from './membership.ts';

/** Whether this node acts for all Devices and no other one runs: no other node changes what it knows. */
export function isAlone({ hasPeers, ownership }: Pick<Membership, 'hasPeers' | 'ownership'>) {
  return !hasPeers && ownership.partitions === null;
}
