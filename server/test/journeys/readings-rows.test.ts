import { expect, it } from 'vitest';
import { run, sql } from '../../src/storage/index.ts';
import {
  countOf,
  kill,
  openHistory,
  ramp,
  readingsOn,
  RAMP_START as START,
  storeVariable,
} from '../support/readings.ts';
import { NO_PEERS, SOLE_OWNER } from '../support/sole-owner.ts';

it('packed journal rows are written once no version runs that cannot read them, and both are replayed', async () => {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const versions = async () => {
    const found = await run<{ version: number }>(
      storage,
      sql`select get_byte(data, 0) as version from journal order by writer, id`,
    );
    return found.map(({ version }) => version);
  };
  let areUpgraded = false;
  const isKnownToAll = () => areUpgraded;
  const node = { ownership: SOLE_OWNER, peers: NO_PEERS, isKnownToAll };
  const first = readingsOn(storage, {}, undefined, undefined, node);
  await first.start();
  await first.commit(ramp(variable, 300));
  areUpgraded = true;
  await first.commit(ramp(variable, 100, START + 10_000));
  expect(await versions()).toEqual([1, 2]);
  await kill(first);
  const second = readingsOn(storage, {}, undefined, undefined, node);
  await second.start();
  expect(await countOf(second, variable)).toBe(400);
  areUpgraded = false;
  await second.stop();
  expect(await versions()).toEqual([1]);
  areUpgraded = true;
  const third = readingsOn(storage, {}, undefined, undefined, node);
  await third.start();
  await third.commit(ramp(variable, 1, START + 20_000));
  await third.stop();
  expect(await versions()).toEqual([2]);
  const last = readingsOn(storage);
  await last.start();
  expect(await countOf(last, variable)).toBe(401);
});
