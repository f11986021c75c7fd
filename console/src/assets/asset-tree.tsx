import { ActionIcon, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconChevronDown, IconChevronRight } from '../icons/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, type List, RecordTable } from '../ui/index.ts';
import { useAssetBulkActions } from './asset-bulk.tsx';
import { AssetState } from './asset-state.tsx';
import { type Branch, belowOf, treeOf, visible } from './tree.ts';

const words = strings.assets;
const INDENT_PX = 20;

interface Props {
  readonly list: List<Asset>;
  /** In the order in which siblings are shown. */
  readonly assets: readonly Asset[];
}

/** The hierarchy as a table with collapsible branches. */
export function AssetTree({ list, assets }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const branches = useMemo(() => treeOf(assets), [assets]);
  const toggle = (id: string) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const actions = useAssetBulkActions();
  const isFlat = branches.every(({ children }) => children.length === 0);
  const shown = visible(branches, closed);
  const byId = new Map(shown.map((branch) => [branch.asset.id, branch]));
  const stateOf = (asset: Asset) => {
    const branch = closed.has(asset.id) ? byId.get(asset.id) : undefined;
    return <AssetState asset={asset} below={branch && belowOf(branch)} />;
  };
  const [name, ...others] = list.columns;
  const columns: readonly Column<Asset>[] = [
    {
      head: strings.ui.name,
      ...name,
      cell: (asset) => (
        <Name
          branch={byId.get(asset.id) ?? { asset, depth: 0, children: [] }}
          isFlat={isFlat}
          isClosed={closed.has(asset.id)}
          onToggle={() => toggle(asset.id)}
        />
      ),
    },
    ...others.map((column) => (column.sortKey === 'STATE' ? { ...column, cell: stateOf } : column)),
  ];
  return (
    <RecordTable
      label={words.tree}
      columns={columns}
      columnsKey={list.name}
      records={shown.map(({ asset }) => asset)}
      sort={list.sort}
      hrefOf={({ id }) => `/assets/${id}`}
      bulk={{ scope: list.scope, actions, nameOf: (asset) => asset.name, many: words.title }}
    />
  );
}

interface NameProps {
  readonly branch: Branch;
  /** Whether no Asset has children. */
  readonly isFlat: boolean;
  readonly isClosed: boolean;
  readonly onToggle: () => void;
}

function Name({ branch, isFlat, isClosed, onToggle }: NameProps) {
  const { asset, depth, children } = branch;
  return (
    <Group gap={4} wrap="nowrap" pl={depth * INDENT_PX}>
      {children.length > 0 ? (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          onClick={onToggle}
          aria-expanded={!isClosed}
          aria-label={isClosed ? words.expand(asset.name) : words.collapse(asset.name)}
        >
          {isClosed ? <IconChevronRight size={14} /> : <IconChevronDown size={14} />}
        </ActionIcon>
      ) : isFlat ? null : (
        <Text span w={22} aria-hidden />
      )}
      <Link to={`/assets/${asset.id}`} className="linked">
        {asset.name}
      </Link>
    </Group>
  );
}
