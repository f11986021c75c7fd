import { ASSET_TYPES, type AssetType } from '@fieldwatch/contract';
import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { IconBuildingFactory2 } from '../icons/index.ts';
import { compact, manyIn, type Raw, textIn, useFilters, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { AddButton, Empty, Filters, Loaded, Page, SearchField } from '../ui/index.ts';
import { AssetForm } from './asset-form.tsx';
import { AssetTree } from './asset-tree.tsx';

const words = strings.assets;
const MAX_ASSETS = 1_000;

const parse = (raw: Raw) =>
  compact({ search: textIn(raw.search), types: manyIn(raw.types, ASSET_TYPES) });

export function AssetsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const [isCreating, setIsCreating] = useState(false);
  const { search, types } = filters;
  const query = useRead(
    'listAssets',
    {
      query: {
        take: MAX_ASSETS,
        ...(search ? { search } : {}),
        ...(types?.length ? { types } : {}),
      },
    },
    { keepsPrevious: true },
  );
  const isFiltered = Boolean(search) || Boolean(types?.length);
  const add = may('CreateAsset') ? (
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
  ) : null;
  return (
    <Page title={words.title} actions={add}>
      <Filters>
        <SearchField
          label={words.search}
          value={search ?? ''}
          onChange={(next) => setFilters({ search: next })}
        />
        <MultiSelect
          aria-label={words.type}
          placeholder={types?.length ? '' : words.type}
          data={ASSET_TYPES.map((value) => ({ value, label: words.types[value] }))}
          value={types ?? []}
          onChange={(next) => setFilters({ types: next as AssetType[] })}
          clearable
          w={{ base: '100%', xs: 220 }}
        />
      </Filters>
      <Loaded query={query}>
        {({ count, items }) =>
          count === 0 ? (
            <Empty
              title={isFiltered ? strings.ui.noMatch : words.empty}
              icon={<IconBuildingFactory2 />}
              action={isFiltered ? null : add}
            >
              {isFiltered ? strings.ui.noMatchHint : words.emptyHint}
            </Empty>
          ) : (
            <AssetTree assets={items} />
          )
        }
      </Loaded>
      <AssetForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
