import type { AlarmEvent } from '@fieldwatch/contract';
import { findEventRecords } from '../../../alarms/index.ts';
import { listLocationPaths } from '../../../locations/index.ts';
import { run, sql, type Transaction } from '../../../storage/index.ts';
import type { DescribedEvent, EventContext } from '../notification.ts';

export interface EventName {
  readonly organizationId: string;
  readonly eventId: string;
}

/** Events by their ids, as they are now; those that are gone are left out. */
export async function describeEvents(
  tx: Transaction,
  rows: readonly EventName[],
): Promise<ReadonlyMap<string, DescribedEvent>> {
  const names = rows.map(({ organizationId, eventId }) => ({ organizationId, eventId }));
  const distinct = [...new Map(names.map((name) => [name.eventId, name])).values()];
  const events = await findEventRecords(tx, distinct);
  const contextOf = await contextsOf(tx, distinct, events);
  return new Map([...events].map(([id, event]) => [id, { event, context: contextOf(event) }]));
}

/** Units and Locations of the events, as they are now. */
async function contextsOf(
  tx: Transaction,
  rows: readonly EventName[],
  events: ReadonlyMap<string, AlarmEvent>,
): Promise<(event: AlarmEvent) => EventContext> {
  const units = new Map<string, { organizationId: string; variableId: string }>();
  const locations = new Map<string, { organizationId: string; locationId: string }>();
  for (const { organizationId, eventId } of rows) {
    const { deviceVariableId: variableId, locationId } = events.get(eventId) ?? {};
    if (variableId) units.set(variableId, { organizationId, variableId });
    if (locationId) locations.set(locationId, { organizationId, locationId });
  }
  const unitOf = await findUnits(tx, [...units.values()]);
  const paths = locations.size === 0 ? [] : await listLocationPaths(tx, [...locations.values()]);
  const pathOf = new Map(paths.map((path) => [path.locationId, path]));
  return ({ deviceVariableId, locationId }) => {
    const { names: locationPath = [], timeZone = null } = pathOf.get(locationId ?? '') ?? {};
    return { unit: unitOf.get(deviceVariableId) ?? null, locationPath, timeZone };
  };
}

async function findUnits(
  tx: Transaction,
  wanted: readonly { readonly organizationId: string; readonly variableId: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (wanted.length === 0) return new Map();
  const rows = await run<{ id: string; unit: string }>(
    tx,
    sql`select variables.id, unit
        from json_to_recordset(${JSON.stringify(wanted)}) as wanted
          ("organizationId" uuid, "variableId" uuid)
        join variables on variables.organization_id = "organizationId"
          and variables.id = "variableId"
        where unit is not null`,
  );
  return new Map(rows.map(({ id, unit }) => [id, unit]));
}
