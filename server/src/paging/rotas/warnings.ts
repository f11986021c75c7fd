import { MAX_SHIFT_DAYS, type Rota } from '@fieldwatch/contract';
import { openTimeZone } from '../../runtime/index.ts';
import { planOfMembers, usersNamedIn } from './on-call.ts';
import { type RotaPlan, shiftsOf } from './shifts.ts';

const DAY_MS = 86_400_000;

/** What would leave an alarm unanswered, and what to do about it. */
export function warningsOf(
  rota: RotaPlan,
  isMember: (userId: string) => boolean,
  now: number,
): Rota['warnings'] {
  const warnings: Rota['warnings'] = [];
  const unknown = usersNamedIn(rota).filter((id) => !isMember(id)).length;
  if (unknown > 0) {
    const who = unknown === 1 ? 'One user is' : `${unknown} users are`;
    const message = `${who} no longer a member of the organization and cannot be on call: name other users in their place.`;
    warnings.push({ kind: 'NOT_A_MEMBER', message });
  }
  const shifts = shiftsOf(planOfMembers(rota, isMember), now, now + MAX_SHIFT_DAYS * DAY_MS);
  const gaps = shifts.filter(({ userId }) => userId === null);
  const [first] = gaps;
  if (first) {
    const zone = openTimeZone(rota.timeZone);
    const text = (moment: number) =>
      new Date(zone.wallTimeAt(moment)).toISOString().slice(0, 16).replace('T', ' ');
    const more = gaps.length === 1 ? '' : `, and ${gaps.length - 1} more times`;
    const message = `Nobody is on call from ${text(first.from)} to ${text(first.to)} (${rota.timeZone})${more}: add a first layer without hours, or an override.`;
    warnings.push({ kind: 'GAP', message });
  }
  return warnings;
}
