import type { Client } from '@fieldwatch/client';

/** Shows the values of Devices as they come, until the signal says that it is enough. */
export async function showValues(
  client: Client,
  input: { organizationId: string; query: { deviceIds: string[] } },
  show: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of client.followLive(input, { signal })) {
    if (event.type === 'lost') show(`lost, again in ${event.data.retryInMs} ms`);
    if (event.type !== 'readings') continue;
    for (const { variableId, value } of event.data) show(`${variableId} ${value}`);
  }
}
