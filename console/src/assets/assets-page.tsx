import { ASSET_TYPES, type AssetType } from '@fieldwatch/contract';
import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { IconBuildingFactory2 } from '../icons/index.ts';
import { compact, manyIn, positionIn, type Raw, textIn, useFilters } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  Empty,
  Filters,
  filterWidth,
  ListCsv,
  Listing,
  Page,
  SavedViews,
  SearchField,
  useList,
} from '../ui/index.ts';
import { useAssetColumns } from './asset-columns.tsx';
import { AssetForm } from './asset-form.tsx';
import { AssetTree } from './asset-tree.tsx';

const words = strings.assets;

const parse = (raw: Raw) =>
  compact({
    ...positionIn(raw),
    search: textIn(raw.search),
    types: manyIn(raw.types, ASSET_TYPES),
  });

type AssetFilters = ReturnType<typeof parse>;

/** The Assets that match the filters: all of them at once, by name, unless there are too many. */
function useAssets(filters: AssetFilters, onChange: (change: Partial<AssetFilters>) => void) {
  const { search, types } = filters;
  return useList({
    name: 'assets',
    operation: 'listAssets',
    inputOf: (paging) => ({
      query: {
        ...paging,
        ...(search ? { search } : {}),
        ...(types?.length ? { types } : {}),
      },
    }),
    columns: useAssetColumns(),
    position: filters,
    onChange,
    initialSort: 'NAME',
    isWhole: true,
  });
}

export function AssetsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const [isCreating, setIsCreating] = useState(false);
  const { search, types } = filters;
  const list = useAssets(filters, setFilters);
  const isFiltered = Boolean(search) || Boolean(types?.length);
  const add = may('CreateAsset') ? (
    <AddButton label={words.add} onClick={() => setIsCreating(true)} />
  ) : null;
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ListCsv list={list} />
          {add}
        </>
      }
    >
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
          w={filterWidth(220)}
        />
        <SavedViews page={list.name} />
      </Filters>
      <Listing
        {...list}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.empty} icon={<IconBuildingFactory2 />} action={add}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => <AssetTree list={list} assets={items} />}
      </Listing>
      <AssetForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
