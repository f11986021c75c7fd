import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { useActiveEvents } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';

/** The most severe active alarm of each Asset, by its id. */
export function useWorstByAsset(): ReadonlyMap<string, Severity> {
  const { events } = useActiveEvents();
  return useMemo(() => {
    const worst = new Map<string, Severity>();
    for (const { severity, assetIds } of events ?? []) {
      for (const id of assetIds) if (!worst.has(id)) worst.set(id, severity);
    }
    return worst;
  }, [events]);
}

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
