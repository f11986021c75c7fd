import type { Reading } from '../readings/index.ts';
import type { Clock } from '../runtime/index.ts';
import type { VariableRef } from '../variables/index.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import { walkPayload } from './decode/index.ts';
import type { GroupCommit } from './group-commit.ts';
import { Matching } from './match.ts';

/** The id of no organization and of no Device. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const PATH = 'probe';

/**
 * A Variable that does not exist: series ids begin at 1. Its readings are treated as those of a
 * Variable that was deleted after their commit: a flush deletes them and stores nothing of them.
 */
const PROBED: VariableRef = {
  seriesId: 0,
  type: 'NUMBER',
  isLoggingEnabled: true,
  path: PATH,
  id: NOBODY,
  organizationId: NOBODY,
  deviceId: NOBODY,
};

const DEVICE = { variables: new Map([[PATH, PROBED]]) };

export interface ProbeDeps {
  readonly group: GroupCommit;
  readonly arrivals: ArrivalTimes;
  readonly clock: Clock;
}

/**
 * Sends a synthetic message through the steps of all others: it waits for admission, is decoded and
 * matched, and its reading is judged and committed with the batch that it falls into. Resolves with
 * the reading once it is durable. Nothing is counted, and nobody is seen online by it.
 */
export async function probe({ group, arrivals, clock }: ProbeDeps): Promise<Reading> {
  await group.enter();
  try {
    const receivedAt = clock.now();
    const matched = new Matching(DEVICE, receivedAt, arrivals);
    walkPayload(Buffer.from(JSON.stringify({ [PATH]: receivedAt })), '', receivedAt, matched);
    const [reading] = matched.readings;
    if (!reading) throw new Error('the message of the probe was not understood');
    await new Promise<void>((resolve, reject) => {
      group.add(matched.readings, (error) => (error === undefined ? resolve() : reject(error)));
    });
    return reading;
  } finally {
    group.leave();
  }
}
