import { expect, it } from 'vitest';
import { openHistory, storeVariable } from '../../../test/support/readings.ts';
import type { HistoryVariable } from './store.ts';
import { VariableLookup } from './variable-lookup.ts';

/** A lookup of one stored Variable, with the ids that each read was called with. */
async function lookupOfOne() {
  const storage = await openHistory();
  const variable = await storeVariable(storage, 'NUMBER');
  const reads: string[][] = [];
  const life = { isOver: true };
  const lookup = new VariableLookup(storage, { begin: () => () => !life.isOver });
  const read = (work = async (found: readonly HistoryVariable[]) => found.length) =>
    lookup.read(variable.organizationId, [variable.id], (found) => {
      reads.push(found.map(({ id, type }) => `${id} ${type}`));
      return work(found);
    });
  return { storage, variable, read, reads, life };
}

it('the history of a Variable that is the same as before is read once', async () => {
  const { variable, read, reads } = await lookupOfOne();
  expect(await read()).toBe(1);
  expect(await read()).toBe(1);
  expect(reads).toEqual([[`${variable.id} NUMBER`], [`${variable.id} NUMBER`]]);
});

it('a Variable is not looked up again while it is certain that nothing has changed', async () => {
  const { storage, variable, read, reads, life } = await lookupOfOne();
  await read();
  life.isOver = false;
  await storage.query('delete from variables where id = $1', [variable.id]);
  expect(await read()).toBe(1);
  life.isOver = true;
  expect(await read()).toBe(0);
  expect(reads).toHaveLength(4);
});

it('the history of a Variable that was deleted since is not returned', async () => {
  const { storage, variable, read, reads } = await lookupOfOne();
  await read();
  await storage.query('delete from variables where id = $1', [variable.id]);
  expect(await read()).toBe(0);
  expect(reads).toEqual([[`${variable.id} NUMBER`], [`${variable.id} NUMBER`], []]);
});

it('the history of a Variable that has changed since is read again, whatever the first read gave', async () => {
  const { storage, variable, read, reads } = await lookupOfOne();
  await read();
  await storage.query(`update variables set type = 'STRING' where id = $1`, [variable.id]);
  const result = await read(async ([found]) => {
    if (found?.type === 'NUMBER') throw new Error('the type is no longer a number');
    return 7;
  });
  expect(result).toBe(7);
  expect(reads.at(-1)).toEqual([`${variable.id} STRING`]);
  await expect(read(() => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
});

it('a Variable is not found in another organization than its own', async () => {
  const { storage, variable, read } = await lookupOfOne();
  await read();
  const { organizationId } = await storeVariable(storage, 'NUMBER');
  const lookup = new VariableLookup(storage, { begin: () => () => true });
  expect(await lookup.find(organizationId, [variable.id])).toEqual([]);
  expect(
    await lookup.find(variable.organizationId, [variable.id.toUpperCase(), 'none']),
  ).toMatchObject([{ id: variable.id }]);
});
