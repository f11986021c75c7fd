import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { VariableLink } from '../references/index.ts';
import { type Asset, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Details, Panel } from '../ui/index.ts';
import { settingText, variableIdsIn } from './settings.ts';

const words = strings.assets;

export function AssetDetails({ asset }: { asset: Asset }) {
  const labels: Readonly<Record<string, string>> = words.form;
  const settings = Object.entries(asset.classificationDetails ?? {}).map(
    ([key, value]): [string, ReactNode] => [
      labels[key] ?? key,
      <Setting key={key} name={key} value={value} />,
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

/** A setting as text; the Variables that it names as links. */
function Setting({ name, value }: { name: string; value: unknown }) {
  const ids = variableIdsIn(name, value);
  if (ids === null) return settingText(value);
  if (ids.length === 0) return '–';
  return (
    <Stack gap={2}>
      {ids.map((id) => (
        <VariableLink key={id} id={id} isDeviceNamed />
      ))}
    </Stack>
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
