import { deliverText, toAddress } from '../../../notify/index.ts';
import {
  type Clock,
  every,
  type Log,
  type NewId,
  openTimeZone,
  type Periodic,
} from '../../../runtime/index.ts';
import type { Storage, Transaction } from '../../../storage/index.ts';
import { membersOf, planOfMembers } from '../on-call.ts';
import { type People, personName } from '../rota.ts';
import { type RotaPlan, type Shift, shiftsOf } from '../shifts.ts';
import { dueTimesOf } from './due-times.ts';
import * as store from './store.ts';

export interface RotaMailsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
}

/** Mails people when they go on or off call, and on Mondays who is on call in the week. */
export type RotaMails = Pick<Periodic, 'start' | 'stop'>;

const INTERVAL_MS = 1_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

export function createRotaMails(deps: RotaMailsDeps): RotaMails {
  const { storage, clock, log } = deps;
  return every(
    INTERVAL_MS,
    async () => {
      while (await sendNext(deps, clock.now()));
    },
    (err) => log.warn({ err }, 'mails of rotas could not be sent; trying again'),
  );

  /** Each mail is part of the transaction that sets when the next one is due, so it is sent once. */
  async function sendNext({ newId }: RotaMailsDeps, now: number): Promise<boolean> {
    if (!(await store.hasDue(storage, now))) return false;
    return await storage.transaction(async (tx) => {
      const rota = await store.lockDue(tx, now);
      if (!rota) return false;
      const people = (await membersOf(tx, [rota]))(rota.organizationId);
      const plan = planOfMembers(rota, (id) => people.has(id));
      const mail = (userId: string | null, subject: string, lines: readonly string[]) =>
        sendTo(tx, newId, { rota, people, userId, subject, lines, now });
      const { handoffDueAt, summaryDueAt } = rota;
      if (handoffDueAt !== null && handoffDueAt <= now) {
        await mailHandoff(mail, { rota, plan, people, dueAt: handoffDueAt, now });
      }
      if (summaryDueAt !== null && summaryDueAt <= now)
        await mailWeek(mail, { rota, plan, people, now });
      await store.saveDueTimes(tx, rota, dueTimesOf({ ...rota, ...plan }, now));
      return true;
    });
  }
}

type Mail = (userId: string | null, subject: string, lines: readonly string[]) => Promise<void>;

interface Sending {
  readonly rota: store.DueRotaRow;
  readonly plan: RotaPlan;
  readonly people: People;
  readonly now: number;
}

async function sendTo(
  tx: Transaction,
  newId: NewId,
  parts: Omit<Sending, 'plan'> & {
    readonly userId: string | null;
    readonly subject: string;
    readonly lines: readonly string[];
  },
): Promise<void> {
  const { rota, people, userId, subject, lines, now } = parts;
  const email = people.get(userId ?? '')?.email;
  if (email === undefined) return;
  const destination = toAddress(rota.organizationId, email);
  await deliverText(tx, newId, destination, { subject, lines, path: '/administration/rotas' }, now);
}

/** Of hand-offs that were missed while no server ran, the last counts. */
async function mailHandoff(
  mail: Mail,
  { rota, plan, people, dueAt, now }: Sending & { readonly dueAt: number },
): Promise<void> {
  const before = shiftsOf(plan, dueAt - 1, dueAt)[0]?.userId ?? null;
  const [current, next] = shiftsOf(plan, now, now + WEEK_MS);
  const after = current?.userId ?? null;
  if (before === after) return;
  const until = next ? `until ${localTime(rota, next.from)}` : 'for at least a week';
  const follower = next ? [`After you: ${personName(people, next.userId) ?? 'nobody'}.`] : [];
  await mail(after, `You are on call: ${rota.name}`, [`You are on call ${until}.`, ...follower]);
  const who = personName(people, after) ?? 'nobody: alarms of this rota reach no one now';
  await mail(before, `You are off call: ${rota.name}`, [`On call now: ${who}.`]);
}

async function mailWeek(mail: Mail, { rota, plan, people, now }: Sending): Promise<void> {
  const shifts = shiftsOf(plan, now, now + WEEK_MS);
  const line = ({ userId, from, to }: Shift) =>
    `${localTime(rota, from)} to ${localTime(rota, to)}: ${personName(people, userId) ?? 'nobody'}`;
  const users = new Set(shifts.map(({ userId }) => userId));
  for (const userId of users) {
    await mail(userId, `On call this week: ${rota.name}`, shifts.map(line));
  }
}

function localTime({ timeZone }: RotaPlan, moment: number): string {
  const wallTime = openTimeZone(timeZone).wallTimeAt(moment);
  return `${new Date(wallTime).toISOString().slice(0, 16).replace('T', ' ')} (${timeZone})`;
}
