import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { assetCalls } from '../support/asset-calls.ts';
import { type IngestCalls, ingestCalls } from '../support/ingest-calls.ts';
import { fleetOf, follow, holds, valuesIn } from '../support/live.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
let calls: IngestCalls;

beforeAll(async () => {
  neighbours = await joinNeighbours();
  server = neighbours.server;
  calls = ingestCalls(server);
});

describe('the filters of a live stream', () => {
  /** What a stream with this query gets of a fleet; the last value shows that all others came. */
  async function seenBy(query: (ids: { a: string; b: string; c: string; ab: string }) => string) {
    const first = await fleetOf(calls, 'path.a', 'path.b');
    const second = await fleetOf(calls, 'path.c');
    const ids = { a: first.of('path.a'), b: first.of('path.b'), c: second.of('path.c') };
    const stream = await follow(server, { query: query({ ...ids, ab: first.id }) });
    const all = await follow(server);
    await calls.write(second.id, { 'path.c': 3 });
    await calls.write(first.id, { 'path.a': 1, 'path.b': 2 });
    await all.until(holds(ids.b, 2));
    await calls.write(first.id, { 'path.a': 10, 'path.b': 20 });
    await calls.write(second.id, { 'path.c': 30 });
    await all.until(holds(ids.c, 30));
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    // That the Device is online is a value of the Device too, and comes when it comes.
    const others = () => valuesIn(stream.events).filter(([id]) => id !== first.onlineVariableId);
    return { stream, ids, seen: () => [...new Set(others().map(([id]) => names.get(id)))] };
  }

  it('pass the values of selected Variables', async () => {
    const { stream, ids, seen } = await seenBy(
      ({ a, c }) => `variableIds[]=${a}&variableIds[]=${c}`,
    );
    await stream.until(holds(ids.c, 30));
    expect(seen().sort()).toEqual(['a', 'c']);
  });

  it('pass the values of selected Devices, with ids in any case', async () => {
    const { stream, ids, seen } = await seenBy(({ ab }) => `deviceIds[]=${ab.toUpperCase()}`);
    await stream.until(holds(ids.a, 10));
    expect(seen().sort()).toEqual(['a', 'b']);
  });

  it('pass a value only when all match', async () => {
    const { stream, ids, seen } = await seenBy(
      ({ a, c, ab }) => `variableIds[]=${a}&variableIds[]=${c}&deviceIds[]=${ab}`,
    );
    await stream.until(holds(ids.a, 10));
    expect(seen()).toEqual(['a']);
  });

  it('follow the bindings of Assets while the stream is open', async () => {
    const assets = assetCalls(server);
    const device = await fleetOf(calls, 'path.a', 'path.b');
    const { id: assetId } = await assets.made();
    await assets.bind(assetId, device.of('path.a'));
    const stream = await follow(server, { query: `assetIds[]=${assetId}` });
    await calls.write(device.id, { 'path.a': 1, 'path.b': 1 });
    await stream.until(holds(device.of('path.a'), 1));
    await assets.bind(assetId, device.of('path.b'));
    await assets.bind(assetId, device.of('path.a'), 'DISCONNECT');
    let value = 1;
    const bound = async () => {
      value += 1;
      await calls.write(device.id, { 'path.a': value, 'path.b': value });
      return valuesIn(stream.events).some(([id]) => id === device.of('path.b'));
    };
    await expect.poll(bound).toBe(true);
    await calls.write(device.id, { 'path.a': -1, 'path.b': -1 });
    await stream.until(holds(device.of('path.b'), -1));
    expect(valuesIn(stream.events)).not.toContainEqual([device.of('path.a'), -1]);
    await assets.remove(assetId);
    const all = await follow(server);
    await calls.write(device.id, { 'path.b': -2 });
    await all.until(holds(device.of('path.b'), -2));
    expect(valuesIn(stream.events)).not.toContainEqual([device.of('path.b'), -2]);
  });

  it('match nothing for an id that is unknown, malformed or of another organization', async () => {
    const { neighbour } = neighbours;
    const others = ingestCalls(neighbour);
    const { id: otherDevice } = await others.newDevice();
    const otherVariable = await others.newVariable(otherDevice, 'path.a');
    const { id: otherAsset } = await assetCalls(neighbour).made();
    await assetCalls(neighbour).bind(otherAsset, otherVariable);
    const device = await fleetOf(calls, 'path.a');
    const all = await follow(server);
    const streams = await Promise.all(
      [
        `variableIds[]=${otherVariable}`,
        `deviceIds[]=${otherDevice}`,
        `assetIds[]=${otherAsset}`,
        'variableIds[]=018f0000-0000-7000-8000-00000000dead',
        'deviceIds[]=no',
        'assetIds[]=%25',
      ].map((query) => follow(server, { query })),
    );
    await others.write(otherDevice, { 'path.a': 1 });
    await calls.write(device.id, { 'path.a': 2 });
    await all.until(holds(device.of('path.a'), 2));
    for (const stream of [...streams, all]) {
      const types = stream.events.map(({ type }) => type);
      expect(types.filter((type) => type !== 'ready')).toHaveLength(
        stream === all ? types.length - 1 : 0,
      );
    }
    const received = valuesIn(all.events).map(([variableId]) => variableId);
    expect(received).toContain(device.of('path.a'));
    expect(received).not.toContain(otherVariable);
  });

  it.each(['variableIds', 'deviceIds', 'assetIds'])('accept at most 200 %s', async (name) => {
    const query = (count: number) =>
      Array.from({ length: count }, () => `${name}[]=018f0000-0000-7000-8000-00000000dead`).join(
        '&',
      );
    for (const [count, expected] of [
      [199, 200],
      [200, 200],
      [201, 400],
    ] as const) {
      const { status } = await server.call(operations.followLive, { query: query(count) });
      expect([count, status]).toEqual([count, expected]);
    }
  });
});
