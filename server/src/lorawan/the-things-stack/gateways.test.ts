import { describe, expect, it } from 'vitest';
import type { Outbound } from '../../runtime/index.ts';
import { connectedGateways, isConnected, listGateways } from './gateways.ts';

/** A server that answers each call by a function of its path and its body. */
function serverOf(answer: (path: string, body: { gateway_ids: unknown[] }) => object) {
  const calls: string[] = [];
  const outbound = {
    async request(url: string, { body }: Parameters<Outbound['request']>[1]) {
      const path = url.replace('https://eu1.example.com/api/v3/', '');
      calls.push(path);
      const text = JSON.stringify(answer(path, body.length === 0 ? {} : JSON.parse(`${body}`)));
      return { status: 200, text, bytes: Buffer.from(text), headers: {}, retryAfter: null };
    },
    post: () => Promise.reject(new Error('not called')),
    connect: () => Promise.reject(new Error('not called')),
  };
  const { signal } = new AbortController();
  return { calls, server: { outbound, signal, url: 'https://eu1.example.com', token: 'key' } };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `gateway-${index}`);

describe('gateways of The Things Stack', () => {
  it.each([
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
  ])('%i are asked for in batches of at most 100', async (count, expected) => {
    const sizes: number[] = [];
    const { server } = serverOf((_, { gateway_ids }) => {
      sizes.push(gateway_ids.length);
      return { entries: { 'gateway-0': { connected_at: '2026-11-17T08:00:00Z' } } };
    });
    expect([...(await connectedGateways(server, ids(count)))]).toEqual(['gateway-0']);
    expect(sizes).toEqual(expected);
  });

  it.each([
    [99, 1],
    [100, 2],
    [101, 2],
  ])('%i are listed on %i pages', async (count, pages) => {
    const { server, calls } = serverOf((path) => {
      const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
      const all = ids(count).map((gateway_id) => ({ ids: { gateway_id, eui: 'ab' } }));
      return { gateways: all.slice((page - 1) * 100, page * 100) };
    });
    expect(await listGateways(server)).toHaveLength(count);
    expect(calls).toHaveLength(pages);
  });

  it('without an EUI are left out, and those of another cluster are marked', async () => {
    const listed = [
      { ids: { gateway_id: 'none' } },
      { ids: { gateway_id: 'other', eui: 'a1' }, gateway_server_address: 'nam1.example.com' },
      { ids: { gateway_id: 'a', eui: 'a2' }, gateway_server_address: 'eu1.example.com' },
      { ids: { gateway_id: 'b', eui: 'a3' }, gateway_server_address: 'wss://eu1.example.com:8887' },
      { ids: { gateway_id: 'c', eui: 'a4' } },
    ];
    const { server } = serverOf(() => ({ gateways: listed }));
    const found = await listGateways(server);
    expect(found.map(({ eui, isOfCluster }) => [eui, isOfCluster])).toEqual([
      ...[['A1', false]],
      ...['A2', 'A3', 'A4'].map((eui) => [eui, true]),
    ]);
  });

  it.each([
    ['without an entry', {}, false],
    ['since it has connected', { connected_at: '2026-11-17T08:00:00Z' }, true],
    ['no longer since it was lost', { disconnected_at: '2026-11-17T08:00:00Z' }, false],
    [
      'again since it has come back',
      { connected_at: '2026-11-17T08:00:01Z', disconnected_at: '2026-11-17T08:00:00Z' },
      true,
    ],
    [
      'no longer where both are stated and the loss is later',
      { connected_at: '2026-11-17T08:00:00Z', disconnected_at: '2026-11-17T08:00:01Z' },
      false,
    ],
  ])('are connected: %s', (_, stats, expected) => {
    expect(isConnected(stats)).toBe(expected);
  });
});
