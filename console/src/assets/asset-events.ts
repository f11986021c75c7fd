import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import type { AlarmEvent, Asset } from '../service/index.ts';

type Trouble = Pick<AlarmEvent, 'severity' | 'assetIds' | 'deviceVariableId'>;
type Watched = Pick<Asset, 'id' | 'variables'>;

/** The events on Variables of these Assets, in their order. */
export function eventsOf<Event extends Trouble>(
  assets: readonly Watched[],
  events: readonly Event[],
): readonly Event[] {
  const ids = new Set(assets.map(({ id }) => id));
  const variableIds = new Set(assets.flatMap(({ variables }) => variables.map(({ id }) => id)));
  return events.filter(
    ({ assetIds, deviceVariableId }) =>
      assetIds.some((id) => ids.has(id)) || variableIds.has(deviceVariableId),
  );
}

/**
 * The most severe event on the Assets below one, where it is worse than all of its own. The events must
 * be sorted by severity, most severe first.
 */
export function worseBelow(
  asset: Watched,
  below: readonly Watched[],
  events: readonly Trouble[],
): Severity | null {
  const rankOf = (event: Trouble | undefined) => (event ? SEVERITIES.indexOf(event.severity) : -1);
  const [own] = eventsOf([asset], events);
  const [hidden] = eventsOf(below, events);
  return hidden && rankOf(hidden) > rankOf(own) ? hidden.severity : null;
}
