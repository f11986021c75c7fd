import { describe, expect, it } from 'vitest';
import { NONE_SELECTED, type Selected, toggledIn, withAll } from './selection.ts';

const shown = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const record = (id: string) => ({ id });
const idsOf = ({ records }: Selected<{ id: string }>) => [...records.keys()].toSorted();
const toggle = (selected: Selected<{ id: string }>, id: string, isRange = false) =>
  toggledIn(selected, record(id), shown, isRange);

describe('a selection', () => {
  it('gains a record that is toggled, and loses it when it is toggled again', () => {
    const one = toggle(NONE_SELECTED, 'b');
    expect(idsOf(one)).toEqual(['b']);
    expect(idsOf(toggle(one, 'b'))).toEqual([]);
  });

  it('gains all records between the last one and a range, in both directions', () => {
    expect(idsOf(toggle(toggle(NONE_SELECTED, 'b'), 'd', true))).toEqual(['b', 'c', 'd']);
    expect(idsOf(toggle(toggle(NONE_SELECTED, 'c'), 'a', true))).toEqual(['a', 'b', 'c']);
  });

  it('loses a range whose last record was selected', () => {
    const all = withAll(NONE_SELECTED as Selected<{ id: string }>, shown, true);
    const without = toggle(toggle(all, 'b'), 'd', true);
    expect(idsOf(without)).toEqual(['a', 'b', 'c'].filter((id) => id === 'a'));
  });

  it('treats a range without a shown anchor as one record', () => {
    expect(idsOf(toggle(NONE_SELECTED, 'c', true))).toEqual(['c']);
    const other = toggledIn(NONE_SELECTED, record('x'), [record('x')], false);
    expect(idsOf(toggle(other, 'c', true))).toEqual(['c', 'x']);
  });

  it('keeps records of other pages when a page is selected and cleared', () => {
    const other = toggledIn(NONE_SELECTED, record('x'), [record('x')], false);
    const page = withAll(other, shown, true);
    expect(idsOf(page)).toEqual(['a', 'b', 'c', 'd', 'x']);
    expect(idsOf(withAll(page, shown, false))).toEqual(['x']);
  });
});
