import { expect, it } from 'vitest';
import type { AlarmEvent } from '../../service/index.ts';
import { arrangedBySite, groupsOf } from './groups.ts';

const event = (id: string, severity: string, raisedDateTime = '2026-11-15T08:30:00.000Z') =>
  ({ id, severity, raisedDateTime }) as AlarmEvent;
const siteOf = ({ id }: AlarmEvent) => id.charAt(0);

it('alarms are listed by site, worst site first, and within a site worst and newest first', () => {
  const arranged = arrangedBySite(
    [
      event('a1', 'LOW'),
      event('b1', 'HIGH'),
      event('a2', 'CRITICAL'),
      event('a3', 'LOW', '2026-11-15T08:31:00.000Z'),
      event('b2', 'CRITICAL', '2026-11-15T08:29:00.000Z'),
    ],
    siteOf,
  );
  expect(arranged.map(({ id }) => id)).toEqual(['a2', 'a3', 'a1', 'b2', 'b1']);
  expect(groupsOf(arranged, siteOf).map(({ siteId, rows }) => [siteId, rows.length])).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});
