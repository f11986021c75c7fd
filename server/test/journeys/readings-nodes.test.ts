import { expect, it } from 'vitest';
import { type Ownership, type PeerHandler, partitionOf } from '../../src/nodes/index.ts';
import type { Readings } from '../../src/readings/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import {
  ALL,
  openHistory,
  pageOf,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';
import { SOLE_OWNER } from '../support/sole-owner.ts';

const START = 1_700_000_000_000;

type Step = (readings: Readings, variable: VariableRef) => Promise<void>;

const flushed: Step = (readings, { deviceId }) => readings.drain([partitionOf(deviceId)]);
const nothing: Step = () => Promise.resolve();

const FLUSHES: readonly (readonly [string, Step, Step])[] = [
  ['does not flush', nothing, nothing],
  ['flushes before it answers', flushed, nothing],
  ['flushes right after it has answered', nothing, flushed],
];

/** A Variable with readings at its owner, which takes steps before and after it answers another node. */
async function twoNodes(before: Step, after: Step) {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  let handler: PeerHandler | undefined;
  const serve = (_: string, given: PeerHandler) => {
    handler = given;
  };
  const noCall = () => Promise.reject(new Error('the owner calls no other node'));
  const owner = readingsOn(storage, {}, systemClock, () => true, {
    ownership: SOLE_OWNER,
    peers: { serve, call: noCall },
  });
  await owner.start();
  const ownership: Ownership = { ...SOLE_OWNER, nodeId: 'other', partitions: [] };
  const reader = readingsOn(storage, {}, systemClock, () => true, {
    ownership,
    peers: {
      serve: () => undefined,
      async call(_, __, body) {
        await before(owner, variable);
        const answer = await handler?.(body, 'other');
        await after(owner, variable);
        if (!answer) throw new Error('the owner serves no call');
        return answer;
      },
    },
  });
  await owner.commit([0, 1, 2].map((index) => reading(variable, START + index, index)));
  return { owner, reader, variable };
}

it.each(FLUSHES)('readings of an owner that %s are found once', async (_, before, after) => {
  const { reader, variable } = await twoNodes(before, after);
  const { count, items } = await pageOf(reader, variable, ALL, 10);
  expect([count, items.map(({ value }) => value)]).toEqual([3, [0, 1, 2]]);
});

it.each(FLUSHES)('the latest value at an owner that %s is found', async (_, before, after) => {
  const { reader, variable } = await twoNodes(before, after);
  expect(await reader.latest([variable])).toEqual({
    values: [{ at: START + 2, value: 2 }],
    isIncomplete: false,
  });
});

it('a correction that is not flushed yet wins over the stored reading at every node', async () => {
  const { owner, reader, variable } = await twoNodes(nothing, nothing);
  await flushed(owner, variable);
  await owner.commit([reading(variable, START + 1, 10)]);
  const { items } = await pageOf(reader, variable, ALL, 10);
  expect(items.map(({ value }) => value)).toEqual([0, 10, 2]);
});
