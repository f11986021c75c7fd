import Type from 'typebox';
import { closed, words } from './inputs.ts';
import { shownVariable } from './named-variables.ts';
import { type Source, type Tool, tool } from './tool.ts';

const ITEMS_PER_KIND = 25;
const KINDS = ['LOCATION', 'ASSET', 'DEVICE', 'VARIABLE'] as const;

type Kind = (typeof KINDS)[number];

interface Found {
  readonly count: number;
  readonly items: readonly object[];
}

async function findLocations({ client, organizationId }: Source, search: string): Promise<Found> {
  const query = { search, take: ITEMS_PER_KIND };
  const { count, items } = await client.listLocations({ organizationId, query });
  return {
    count,
    items: items.map(({ id, name, description, parentId, timeZone }) => ({
      locationId: id,
      name,
      description,
      parentLocationId: parentId,
      timeZone,
    })),
  };
}

async function findAssets({ client, organizationId }: Source, search: string): Promise<Found> {
  const query = { search, take: ITEMS_PER_KIND };
  const { count, items } = await client.listAssets({ organizationId, query });
  return {
    count,
    items: items.map(({ id, name, description, classificationType, locationId, variables }) => ({
      assetId: id,
      name,
      description,
      type: classificationType,
      locationId,
      variableCount: variables.length,
    })),
  };
}

async function findDevices({ client, organizationId }: Source, search: string): Promise<Found> {
  const body = { search, take: ITEMS_PER_KIND };
  const { count, items } = await client.searchDevices({ organizationId, body });
  return {
    count,
    items: items.map(({ id, name, description, type, isActive, isOnline, ...rest }) => ({
      deviceId: id,
      name,
      description,
      type,
      isActive,
      isOnline,
      lastSeenTime: rest.lastSeenDateTime,
      locationId: rest.locationId,
    })),
  };
}

async function findVariables({ client, organizationId }: Source, search: string): Promise<Found> {
  const body = { search, take: ITEMS_PER_KIND };
  const { count, items } = await client.searchVariables({ organizationId, body });
  return {
    count,
    items: items.map((item) => ({
      ...shownVariable(item),
      deviceId: item.deviceId,
      path: item.topicPropertyPath,
      hasHistory: item.isLoggingEnabled,
    })),
  };
}

const FINDERS: Readonly<Record<Kind, (source: Source, search: string) => Promise<Found>>> = {
  LOCATION: findLocations,
  ASSET: findAssets,
  DEVICE: findDevices,
  VARIABLE: findVariables,
};

const LISTS: Readonly<Record<Kind, string>> = {
  LOCATION: 'locations',
  ASSET: 'assets',
  DEVICE: 'devices',
  VARIABLE: 'variables',
};

export const find: Tool = tool({
  name: 'find',
  title: 'Find by name',
  description: `Find Locations, Assets, Devices and Variables by a part of their name, and get the ids that the other tools take. A Variable is one measured value of a Device, with its unit; Variables are also found by words of the names of their Device and Location, in any order. Up to ${ITEMS_PER_KIND} of each kind; counts has the totals.`,
  input: Type.Object(
    {
      search: words('Part of a name, such as "cold store" or "temperature"; case does not matter'),
      kinds: Type.Optional(
        Type.Array(Type.Enum([...KINDS]), {
          minItems: 1,
          maxItems: KINDS.length,
          description: 'Only these kinds; all when left out',
        }),
      ),
    },
    closed,
  ),
  async run(source, { search, kinds = [...KINDS] }) {
    const asked = KINDS.filter((kind) => kinds.includes(kind));
    const found = await Promise.all(
      asked.map(async (kind) => [LISTS[kind], await FINDERS[kind](source, search)] as const),
    );
    return {
      facts: { counts: Object.fromEntries(found.map(([name, { count }]) => [name, count])) },
      lists: Object.fromEntries(found.map(([name, { items }]) => [name, items])),
      advice: 'Search for a longer part of the name, or for one of the kinds.',
    };
  },
});
