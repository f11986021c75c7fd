import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createWaitingConnections } from './waiting-connections.ts';

const sockets = (count: number) => Array.from({ length: count }, () => new Socket());
const closed = (of: readonly Socket[]) => of.map(({ destroyed }) => destroyed);

describe('connections that wait without credentials', () => {
  it('are closed oldest first where one address has more than its limit', () => {
    const waiting = createWaitingConnections({ perAddress: 2, inAll: 10 });
    const [a, b, c, other] = sockets(4) as [Socket, Socket, Socket, Socket];
    waiting.add(other, '192.0.2.2');
    waiting.add(a, '192.0.2.1');
    waiting.add(b, '192.0.2.1');
    expect(closed([a, b, other])).toEqual([false, false, false]);
    waiting.add(c, '192.0.2.1');
    expect(closed([a, b, c, other])).toEqual([true, false, false, false]);
  });

  it('are closed oldest first where there are more than the limit in all', () => {
    const waiting = createWaitingConnections({ perAddress: 2, inAll: 3 });
    const opened = sockets(4);
    for (const [index, socket] of opened.entries()) waiting.add(socket, `192.0.2.${index}`);
    expect(closed(opened)).toEqual([true, false, false, false]);
  });

  it('count in all only where a proxy brings many clients', () => {
    const waiting = createWaitingConnections({ perAddress: 1, inAll: 2 });
    const opened = sockets(3);
    for (const socket of opened.slice(0, 2)) waiting.add(socket, null);
    expect(closed(opened)).toEqual([false, false, false]);
    waiting.add(opened[2] as Socket, null);
    expect(closed(opened)).toEqual([true, false, false]);
  });

  it('count no longer once they are served', () => {
    const waiting = createWaitingConnections({ perAddress: 1, inAll: 1 });
    const [a, b] = sockets(2) as [Socket, Socket];
    waiting.add(a, '192.0.2.1');
    waiting.remove(a);
    waiting.add(b, '192.0.2.1');
    expect(closed([a, b])).toEqual([false, false]);
  });
});
