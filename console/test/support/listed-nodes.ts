import { NODE_STATES, type Node } from '@fieldwatch/contract';
import type { Page } from 'playwright-core';

/** Has the page find one node of each state, whatever nodes there are. */
export async function showNodesOfEachState(page: Page): Promise<void> {
  const items = NODE_STATES.toReversed().map(nodeOf);
  await page.route(/\/primary\/v1\/[^/]+\/nodes$/, (route) =>
    route.fulfill({ json: { count: items.length, items } }),
  );
}

function nodeOf(state: Node['state'], index: number): Node {
  const isLost = state === 'LOST';
  return {
    id: `018f0000-0000-7000-8000-00000000000${index}`,
    isAnswering: index === 0,
    state,
    address: `10.0.0.${index + 5}:7883`,
    version: state === 'OTHER_VERSION' ? '0.8.0' : '0.9.0',
    migration: state === 'OTHER_VERSION' ? 33 : 34,
    startedDateTime: new Date(Date.now() - (index + 1) * 3_600_000).toISOString(),
    lostDateTime: isLost ? new Date(Date.now() - 120_000).toISOString() : null,
    partitionCount: isLost ? 0 : 64 - index,
    leaseSeconds: isLost ? 0 : 5.2,
    clockDeviationSeconds: isLost ? null : state === 'CLOCK_DIFFERS' ? -12.4 : 0.003,
    unreachableFrom: [],
    load: isLost
      ? null
      : {
          readingsPerSecond: 48_210.4,
          cpuShare: 0.473,
          memoryBytes: 412_000_000,
          mqttSessionCount: 9_312,
          forwardedPerSecond: 1_204.5,
          receivedPerSecond: 987,
        },
    lag: isLost ? null : { oldestMessageSeconds: 0.021, flushBacklogBytes: 38_400_000 },
  };
}
