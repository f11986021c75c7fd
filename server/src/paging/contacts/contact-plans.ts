import type { Severity } from '@fieldwatch/contract';
import type { Queries } from '../../storage/index.ts';
import { type ContactStep, type ContactWishes, planOf, quietUntil } from './plan.ts';
import * as store from './store.ts';

export type { ContactStep } from './plan.ts';

interface WantedPlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly severity: Severity;
}

/** How one person is contacted about something of a severity. */
export interface ContactPlan extends WantedPlan {
  /** In the order in which they are due; none for someone who is no member. */
  readonly steps: readonly ContactStep[];
  /** When the quiet hours that hold it end; null when none do. */
  readonly opensAt: number | null;
}

/** How people want to be contacted, by organization and user; those who are no members are left out. */
async function listContactWishes(
  db: Queries,
  wanted: readonly store.MemberName[],
): Promise<(name: store.MemberName) => ContactWishes | undefined> {
  const keyOf = (name: store.MemberName) => `${name.organizationId} ${name.userId}`;
  const members = await store.listWishes(db, wanted);
  const methods = await store.listMethodsOf(db, wanted);
  const methodsOf = new Map<string, store.OwnedMethodRow[]>();
  for (const each of methods) {
    methodsOf.set(keyOf(each), [...(methodsOf.get(keyOf(each)) ?? []), each]);
  }
  const wishesOf = new Map(
    members.map((member) => {
      return [keyOf(member), { ...member, methods: methodsOf.get(keyOf(member)) ?? [] }];
    }),
  );
  return (name) => wishesOf.get(keyOf(name));
}

/** How one person wants to be contacted; null for someone who is no member. */
export async function findContactWishes(
  db: Queries,
  member: store.MemberName,
): Promise<ContactWishes | null> {
  return (await listContactWishes(db, [member]))(member) ?? null;
}

/** How people are contacted, by their rules and quiet hours, about something that is due at a moment. */
export async function listContactPlans(
  db: Queries,
  wanted: readonly WantedPlan[],
  at: number,
): Promise<ContactPlan[]> {
  if (wanted.length === 0) return [];
  const wishesOf = await listContactWishes(db, wanted);
  return wanted.map((each) => {
    const wishes = wishesOf(each);
    if (!wishes) return { ...each, steps: [], opensAt: null };
    const opensAt = quietUntil(wishes.quietHours, each.severity, at);
    return { ...each, steps: planOf(wishes, each.severity, at), opensAt };
  });
}
