import Type from 'typebox';
import { closed } from './inputs.ts';
import { type Tool, tool } from './tool.ts';

export const getOverview: Tool = tool({
  name: 'get_overview',
  title: 'Get overview',
  description:
    'Get the number of Devices, how many are online or not active, which Devices went offline last, and problems of the server itself. A good first question about the whole organization; for alarms use list_open_alarms.',
  input: Type.Object({}, closed),
  async run({ client, organizationId }) {
    const overview = await client.retrieveOverview({ organizationId });
    const { offlineDevices, warnings = [], ...counts } = overview;
    return {
      facts: counts,
      lists: {
        warnings,
        offlineDevices: offlineDevices.map(({ id, name, lastSeenDateTime }) => ({
          deviceId: id,
          name,
          lastSeenTime: lastSeenDateTime,
        })),
      },
      advice: 'Use find to look for single Devices.',
    };
  },
});
