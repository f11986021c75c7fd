import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Asset, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Details, Panel } from '../ui/index.ts';

const words = strings.assets;

export function AssetDetails({ asset }: { asset: Asset }) {
  const labels: Readonly<Record<string, string>> = words.form;
  const settings = Object.entries(asset.classificationDetails ?? {}).map(
    ([key, value]): [string, ReactNode] => [
      labels[key] ?? key,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ],
  );
  const rows: readonly (readonly [string, ReactNode])[] = [
    [strings.ui.description, asset.description ?? '–'],
    ...settings,
    [words.dashboard, <DashboardLink key="dashboard" id={asset.dashboardId} />],
    [words.children, <Children key="children" id={asset.id} />],
  ];
  return (
    <Panel title={words.details}>
      <Details label={words.details} rows={rows} />
    </Panel>
  );
}

function DashboardLink({ id }: { id: string | null }) {
  const { data } = useRead(
    'retrieveDashboard',
    { dashboardId: id ?? '' },
    { enabled: id !== null },
  );
  if (id === null) return '–';
  return (
    <Link to={`/dashboards/${id}`} className="linked">
      {data?.name ?? '…'}
    </Link>
  );
}

/** The tree has loaded all Assets, so the children are filtered from them. */
function Children({ id }: { id: string }) {
  const { data } = useRead('listAssets', { query: { take: 1000 } });
  const children = data?.items.filter(({ parentId }) => parentId === id) ?? [];
  if (children.length === 0) return <Text size="sm">–</Text>;
  return (
    <Stack gap={2}>
      {children.map((child) => (
        <Link key={child.id} to={`/assets/${child.id}`} className="linked">
          {child.name}
        </Link>
      ))}
    </Stack>
  );
}
