import { describe, expect, it } from 'vitest';
import { createPendingConnections } from './pending-connections.ts';

function rig() {
  const pending = createPendingConnections({ maxPending: 5, maxPendingPerAddress: 3 });
  const destroyed: string[] = [];
  const connection = (name: string) => ({ destroy: () => destroyed.push(name) });
  const enter = (address: string, name: string) => {
    const made = connection(name);
    return pending.enter(made, address) ? made : null;
  };
  return { pending, destroyed, enter };
}

describe('connections that have not signed in', () => {
  it('above the limit of an address replace its oldest silent one', () => {
    const { pending, destroyed, enter } = rig();
    enter('b', 'other');
    for (const name of ['1', '2', '3']) expect(enter('a', name)).not.toBeNull();
    expect(destroyed).toEqual([]);
    expect(enter('a', '4')).not.toBeNull();
    expect(destroyed).toEqual(['1']);
    expect(pending.count).toBe(4);
  });

  it('above the total limit replace the oldest silent one of any address', () => {
    const { destroyed, enter } = rig();
    for (const name of ['1', '2', '3']) enter('a', name);
    for (const name of ['4', '5', '6']) expect(enter('b', name)).not.toBeNull();
    expect(destroyed).toEqual(['1']);
  });

  it('are never replaced while their CONNECT is checked', () => {
    const { pending, destroyed, enter } = rig();
    const all = ['1', '2', '3'].map((name) => enter('a', name));
    for (const each of all) if (each) pending.identify(each);
    expect(enter('a', '4')).toBeNull();
    expect(destroyed).toEqual([]);
    if (all[0]) pending.leave(all[0]);
    expect(enter('a', '5')).not.toBeNull();
  });
});
