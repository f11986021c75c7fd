import type { Severity } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { useActiveEvents } from '../alarm-events/index.ts';
import { IconCircleCheck } from '../icons/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { SeverityBadge, StateBadge } from '../ui/index.ts';
import { eventsOf, worseBelow } from './asset-events.ts';

const words = strings.assets;

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

interface Props {
  readonly asset: Asset;
  /** The Assets below it that are not shown. */
  readonly below?: readonly Asset[] | undefined;
}

const NONE: readonly Asset[] = [];

export function AssetState({ asset, below = NONE }: Props) {
  const { events = [] } = useActiveEvents();
  const [worst, ...others] = eventsOf([asset], events);
  const hidden = worseBelow(asset, below, events);
  return (
    <>
      {hidden ? (
        <>
          <SeverityBadge severity={hidden} text={words.below(strings.severities[hidden])} />{' '}
        </>
      ) : null}
      {worst ? (
        <>
          <SeverityBadge severity={worst.severity} /> {words.activeAlarms(others.length + 1)}
        </>
      ) : hidden ? null : (
        <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
          {words.noActiveAlarms}
        </StateBadge>
      )}
    </>
  );
}
