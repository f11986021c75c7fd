import Type from 'typebox';
import { isoDateTime } from '../runtime/index.ts';
import { closed, id, words } from './inputs.ts';
import { IDS_PER_CALL, shownVariable } from './named-variables.ts';
import { type Source, type Tool, ToolError, tool } from './tool.ts';

/** Which Variables: those with an id, those of an Asset or a Device, those whose names have the words. */
interface Selection {
  readonly variableIds?: readonly string[];
  readonly deviceId?: string;
  readonly assetId?: string;
  readonly search?: string;
}

async function selectVariables(
  { client, organizationId }: Source,
  { variableIds, deviceId, assetId, search }: Selection,
) {
  if ((variableIds ?? deviceId ?? assetId ?? search) === undefined) {
    throw new ToolError('Give variableIds, deviceId, assetId or search.');
  }
  const ofAsset =
    assetId === undefined
      ? undefined
      : (await client.retrieveAsset({ organizationId, assetId })).variables.map((each) => each.id);
  const ids = ofAsset?.filter((each) => variableIds?.includes(each) ?? true) ?? variableIds;
  if (ids?.length === 0) return { count: 0, items: [] };
  const body = {
    ...(ids === undefined ? {} : { ids: ids.slice(0, IDS_PER_CALL) }),
    ...(deviceId === undefined ? {} : { deviceIds: [deviceId] }),
    ...(search === undefined ? {} : { search }),
    take: IDS_PER_CALL,
  };
  const { count, items } = await client.searchVariables({ organizationId, body });
  return { count: Math.max(count, ids?.length ?? 0), items };
}

export const getLatestValues: Tool = tool({
  name: 'get_latest_values',
  title: 'Get latest values',
  description: `Get the latest value of Variables with its unit and the time of its reading: of given ones, of a Device, of an Asset, or of those whose name, Device or Location has the words of a search. Filters are combined by AND. A Variable without any reading has value null. Up to ${IDS_PER_CALL} Variables.`,
  input: Type.Object(
    {
      variableIds: Type.Optional(
        Type.Array(id('The id of a Variable'), { minItems: 1, maxItems: IDS_PER_CALL }),
      ),
      deviceId: Type.Optional(id('All Variables of this Device')),
      assetId: Type.Optional(id('All Variables of this Asset')),
      search: Type.Optional(words('Words of the names of Variable, Device and Location')),
    },
    closed,
  ),
  async run(source, input) {
    const { client, organizationId } = source;
    const { count, items } = await selectVariables(source, input);
    const ids = items.map((item) => item.id);
    const latest =
      ids.length === 0
        ? { items: [] }
        : await client.listLatestValues({ organizationId, query: { ids } });
    const values = new Map(latest.items.map((each) => [each.variableId, each]));
    return {
      facts: {
        askedTime: isoDateTime(source.now()),
        variableCount: count,
        ...('incomplete' in latest ? { incomplete: true } : {}),
      },
      lists: {
        values: items.map((item) => {
          const { timestamp, value = null } = values.get(item.id) ?? {};
          const time = timestamp === undefined ? null : isoDateTime(timestamp);
          return { ...shownVariable(item), value, time };
        }),
      },
      advice: 'Ask for fewer variableIds, for one Device, or with more words in search.',
    };
  },
});
