import { ActionIcon, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { IconChevronDown, IconChevronRight } from '../icons/index.ts';
import { LocationName } from '../references/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, RecordTable } from '../ui/index.ts';
import { AssetState } from './asset-state.tsx';
import { type Branch, treeOf, visible } from './tree.ts';

const words = strings.assets;
const INDENT_PX = 20;

type Row = Branch & { readonly id: string };

/** The hierarchy as a table with collapsible branches. */
export function AssetTree({ assets }: { assets: readonly Asset[] }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const branches = useMemo(() => treeOf(assets), [assets]);
  const toggle = (id: string) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const isFlat = branches.every(({ children }) => children.length === 0);
  const rows = visible(branches, closed).map((branch) => ({ ...branch, id: branch.asset.id }));
  const columns: readonly Column<Row>[] = [
    {
      head: strings.ui.name,
      cell: (row) => (
        <Name
          row={row}
          isFlat={isFlat}
          isClosed={closed.has(row.id)}
          onToggle={() => toggle(row.id)}
        />
      ),
    },
    { head: words.type, cell: ({ asset }) => words.types[asset.classificationType] },
    { head: words.state, cell: ({ asset }) => <AssetState asset={asset} /> },
    {
      head: words.variables,
      cell: ({ asset }) => words.variableCount(asset.variables.length),
      isMinor: true,
    },
    {
      head: strings.ui.location,
      cell: ({ asset }) => <LocationName id={asset.locationId} />,
      isMinor: true,
    },
  ];
  return <RecordTable label={words.tree} columns={columns} records={rows} />;
}

interface NameProps {
  readonly row: Row;
  /** Whether no Asset has children. */
  readonly isFlat: boolean;
  readonly isClosed: boolean;
  readonly onToggle: () => void;
}

function Name({ row, isFlat, isClosed, onToggle }: NameProps) {
  const { asset, depth, children } = row;
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
