import { useActiveEvents } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';

/** The active events on Variables of this Asset, most severe first. */
function useActiveEventsOf({ id, variables }: Pick<Asset, 'id' | 'variables'>) {
  const { events = [] } = useActiveEvents();
  const ids = new Set(variables.map((variable) => variable.id));
  return events.filter(
    ({ assetIds, deviceVariableId }) => assetIds.includes(id) || ids.has(deviceVariableId),
  );
}

export function AssetState({ asset }: { asset: Asset }) {
  const [worst, ...others] = useActiveEventsOf(asset);
  if (worst) {
    return (
      <>
        <SeverityBadge severity={worst.severity} /> {strings.assets.activeAlarms(others.length + 1)}
      </>
    );
  }
  return (
    <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
      {strings.assets.noActiveAlarms}
    </StateBadge>
  );
}
