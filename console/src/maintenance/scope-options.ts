import { useLocations } from '../references/index.ts';
import { useRead } from '../service/index.ts';
import { type FoundOptions, ranked } from '../ui/index.ts';
import type { ScopeField } from './scope.ts';

const MAX_OPTIONS = 50;

interface Found {
  readonly data:
    | { readonly count: number; readonly items: readonly { id: string; name: string }[] }
    | undefined;
  readonly isPending: boolean;
  readonly isPlaceholderData: boolean;
}

function optionsOf({ data, isPending, isPlaceholderData }: Found, search: string): FoundOptions {
  const items = ranked(data?.items ?? [], search, ({ name }) => [name]);
  return {
    options: items.slice(0, MAX_OPTIONS).map(({ id, name }) => ({ value: id, label: name })),
    count: data?.count ?? 0,
    isPending: isPending || isPlaceholderData,
  };
}

const queryOf = (search: string) => ({ take: MAX_OPTIONS, ...(search ? { search } : {}) });
const KEPT = { keepsPrevious: true } as const;

function useDeviceOptions(search: string): FoundOptions {
  return optionsOf(useRead('searchDevices', { body: queryOf(search) }, KEPT), search);
}

function useAssetOptions(search: string): FoundOptions {
  return optionsOf(useRead('listAssets', { query: queryOf(search) }, KEPT), search);
}

function useAlarmGroupOptions(search: string): FoundOptions {
  return optionsOf(useRead('listAlarmGroups', { query: queryOf(search) }, KEPT), search);
}

function useAlarmOptions(search: string): FoundOptions {
  return optionsOf(useRead('searchAlarms', { body: queryOf(search) }, KEPT), search);
}

/** All Locations are here already, so they are searched here. */
function useLocationOptions(search: string): FoundOptions {
  const { data, isPending } = useLocations();
  const items = (data?.items ?? []).filter(({ name }) =>
    name.toLowerCase().includes(search.toLowerCase()),
  );
  const found = { data: { count: items.length, items }, isPending, isPlaceholderData: false };
  return optionsOf(found, search);
}

/** The hook that finds records for each part of a scope. */
export const SCOPE_OPTIONS: Readonly<Record<ScopeField, (search: string) => FoundOptions>> = {
  deviceIds: useDeviceOptions,
  assetIds: useAssetOptions,
  locationIds: useLocationOptions,
  alarmGroupIds: useAlarmGroupOptions,
  alarmIds: useAlarmOptions,
};
