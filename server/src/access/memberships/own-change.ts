import type { Change } from '../../http/index.ts';
import type { Queries } from '../../storage/index.ts';
import { listBelongings } from './store.ts';

interface Person {
  readonly id: string;
  readonly email: string;
}

/** The audit entry of a change that users made to themselves, in each of their organizations. */
export async function ownChange(
  db: Queries,
  person: Person,
  change: Pick<Change, 'resource' | 'resourceId' | 'before' | 'after'>,
): Promise<Change> {
  const belongings = await listBelongings(db, person.id);
  return {
    ...change,
    organizationIds: belongings.map(({ organizationId }) => organizationId),
    actor: { kind: 'USER', id: person.id, name: person.email },
  };
}
