import { Anchor, Grid, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  ActiveAlarms,
  ClearedAlarms,
  useActiveEvents,
  WatchingAlarms,
} from '../alarm-events/index.ts';
import { parseChart } from '../charts/index.ts';
import { useLatest } from '../live/index.ts';
import { MaintenanceBanner, MaintenanceButton, useActiveWindows } from '../maintenance/index.ts';
import { LocationLink, useLocations } from '../references/index.ts';
import { type Asset, useFilters, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Page, RecordPage } from '../ui/index.ts';
import { ChartPanel, useCharted } from '../variable-charts/index.ts';
import { AssetActions } from './asset-actions.tsx';
import { AssetDetails } from './asset-details.tsx';
import { AssetState } from './asset-state.tsx';
import { BoundVariables } from './bound-variables.tsx';

const words = strings.assets;

export function AssetPage() {
  const { assetId } = useParams({ strict: false }) as { assetId: string };
  const query = useRead('retrieveAsset', { assetId });
  const beside = [
    useActiveEvents().query,
    useActiveWindows({ assetId }),
    useLocations(),
    useLatest(query.data?.variables.map(({ id }) => id) ?? []),
  ];
  return (
    <RecordPage query={query} list={{ title: words.title, path: '/assets' }} beside={beside}>
      {(asset) => <AssetView key={asset.id} asset={asset} />}
    </RecordPage>
  );
}

function AssetView({ asset }: { asset: Asset }) {
  const { charted, toggle } = useCharted(asset.variables);
  const { events } = useActiveEvents();
  const trail = (
    <Link to="/assets" className="linked">
      {words.title}
    </Link>
  );
  return (
    <Page
      title={asset.name}
      trail={trail}
      about={<About asset={asset} />}
      actions={
        <>
          <MaintenanceButton entry={{ field: 'assetIds', id: asset.id }} name={asset.name} />
          <AssetActions asset={asset} />
        </>
      }
      record={{ resource: 'Asset', id: asset.id }}
    >
      <MaintenanceBanner covered={{ assetId: asset.id }} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            <ActiveAlarms
              events={events?.filter(({ assetIds }) => assetIds.includes(asset.id))}
              showsDevice
            />
            <BoundVariables asset={asset} charted={charted} onToggle={toggle} />
            <ClearedAlarms search={{ assetIds: [asset.id] }} showsDevice />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="md">
            <AssetChart asset={asset} charted={charted} />
            <WatchingAlarms
              search={{ assetIds: [asset.id] }}
              title={words.alarms}
              none={words.noAlarms}
            />
            <AssetDetails asset={asset} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function About({ asset }: { asset: Asset }) {
  const { data: parent } = useRead(
    'retrieveAsset',
    { assetId: asset.parentId ?? '' },
    { enabled: asset.parentId !== null },
  );
  return (
    <>
      <AssetState asset={asset} />
      {` · ${words.types[asset.classificationType]}`}
      {asset.locationId ? (
        <>
          {' · '}
          <LocationLink id={asset.locationId} />
        </>
      ) : null}
      {parent ? (
        <>
          {` · ${words.parent} `}
          <Anchor component={Link} to={`/assets/${parent.id}`} size="sm">
            {parent.name}
          </Anchor>
        </>
      ) : null}
    </>
  );
}

interface ChartProps {
  readonly asset: Asset;
  readonly charted: readonly string[];
}

function AssetChart({ asset, charted }: ChartProps) {
  const [choice, setChoice] = useFilters(parseChart);
  const variables = useMemo(
    () => asset.variables.filter(({ id }) => charted.includes(id)),
    [asset.variables, charted],
  );
  return (
    <ChartPanel
      title={words.chart.title}
      variables={variables}
      choice={choice}
      onChoice={setChoice}
      height={240}
      empty={words.chart.none}
    />
  );
}
