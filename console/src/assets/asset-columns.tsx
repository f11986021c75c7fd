import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import { LocationLink, useLocations } from '../references/index.ts';
import type { Asset } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Column, createdColumn } from '../ui/index.ts';
import { AssetState, useWorstByAsset } from './asset-state.tsx';

const words = strings.assets;

/** The columns of Assets, with what their order needs of other records. */
export function useAssetColumns(): readonly Column<Asset>[] {
  const worst = useWorstByAsset();
  const { data: locations } = useLocations();
  const names = new Map(locations?.items.map(({ id, name }) => [id, name]));
  return [
    {
      head: strings.ui.name,
      cell: ({ name }) => name,
      sortKey: 'NAME',
      value: ({ name }) => name,
    },
    {
      head: words.type,
      cell: ({ classificationType }) => words.types[classificationType],
      sortKey: 'TYPE',
      value: ({ classificationType }) => words.types[classificationType],
    },
    {
      head: words.state,
      cell: (asset) => <AssetState asset={asset} />,
      sortKey: 'STATE',
      firstDirection: 'descending',
      ...stateValues(worst),
    },
    {
      head: words.variables,
      cell: ({ variables }) => words.variableCount(variables.length),
      sortKey: 'VARIABLES',
      firstDirection: 'descending',
      value: ({ variables }) => variables.length,
      isMinor: true,
    },
    {
      head: strings.ui.location,
      cell: ({ locationId }) => (locationId === null ? '–' : <LocationLink id={locationId} />),
      sortKey: 'LOCATION',
      value: ({ locationId }) => (locationId === null ? null : (names.get(locationId) ?? null)),
      isMinor: true,
    },
    createdColumn,
  ];
}

function stateValues(worst: ReadonlyMap<string, Severity>): Pick<Column<Asset>, 'value' | 'rank'> {
  return {
    value: ({ id }) => {
      const severity = worst.get(id);
      return severity ? strings.severities[severity] : words.noActiveAlarms;
    },
    rank: ({ id }) => {
      const severity = worst.get(id);
      return severity ? SEVERITIES.indexOf(severity) : -1;
    },
  };
}
