import { type EquipmentWidgetType, equipmentOf } from '@fieldwatch/contract';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLatest, useLiveValues } from '../../live/index.ts';
import { type Asset, failureText, isGone, useRead } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { Loading, readingText, StateBadge, Timestamp } from '../../ui/index.ts';
import { equipmentState } from '../equipment-state.ts';
import { RecordLink } from '../record-link.tsx';
import type { Settings } from '../widget.ts';
import { Message, Unconfigured } from './widget-message.tsx';
import classes from './widgets.module.css';

const words = strings.dashboards.widget;
const MAX_ASSETS = 200;

interface Props {
  readonly type: EquipmentWidgetType;
  readonly settings: Settings;
}

/** The state of a generator, a transfer switch or a tank in one line. */
export function EquipmentWidget({ type, settings: { assetId, locationId } }: Props) {
  const named = useRead(
    'retrieveAsset',
    { assetId: assetId ?? '' },
    { enabled: assetId !== null, staleMs: 60_000 },
  );
  const atSite = useRead(
    'listAssets',
    { query: { locationIds: [locationId ?? ''], take: MAX_ASSETS } },
    { enabled: assetId === null && locationId !== null, staleMs: 60_000 },
  );
  if (assetId === null && locationId === null) return <Unconfigured />;
  const query = assetId === null ? atSite : named;
  if (query.error) {
    const text = isGone(query.error) ? words.goneAsset : failureText(query.error);
    return <Message isFailure>{text}</Message>;
  }
  if (query.isPending) return <Loading rows={1} />;
  const asset = assetId === null ? equipmentOf(type, atSite.data?.items ?? []) : named.data;
  if (!asset) return <Message>{words.noEquipment[type]}</Message>;
  return <EquipmentLine type={type} asset={asset} />;
}

function EquipmentLine({ type, asset }: { type: EquipmentWidgetType; asset: Asset }) {
  const ids = useMemo(() => asset.variables.map(({ id }) => id), [asset]);
  useLatest(ids);
  const values = useLiveValues(ids);
  const state = equipmentState(type, asset.variables, {
    valueBy: (id) => values.get(id)?.value,
    textOf: readingText,
  });
  const newestMs = Math.max(...[...values.values()].map(({ timestamp }) => timestamp));
  return (
    <div className={classes.equipment}>
      <div className={classes.equipmentName}>
        <Text fw={650} component="div" truncate>
          <RecordLink to={`/assets/${asset.id}`}>{asset.name}</RecordLink>
        </Text>
        {Number.isFinite(newestMs) ? (
          <Text size="xs" c="dimmed" component="div">
            <Timestamp at={newestMs} form="relative" />
          </Text>
        ) : null}
      </div>
      <StateBadge tone={state.tone}>{state.word}</StateBadge>
      {state.level === null ? null : (
        <div className={classes.tank} aria-hidden>
          <div data-tone={state.tone} style={{ width: `${state.level * 100}%` }} />
        </div>
      )}
      <Text size="sm" className="tabular" component="div">
        {state.details.join(' · ') || words.noDetails}
      </Text>
    </div>
  );
}
