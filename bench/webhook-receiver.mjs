// A webhook that counts the alarm events that it receives, alone or in digests.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Counts of what a webhook received. */
export async function startReceiver() {
  const received = { raised: 0, messages: 0, firstAt: 0, lastAt: 0 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { type, data } = JSON.parse(text);
    received.messages += 1;
    received.lastAt = performance.now();
    received.firstAt ||= received.lastAt;
    received.raised += type === 'alarm.raised' ? 1 : (data.counts?.raised?.HIGH ?? 0);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    /** How long after `began` the last message came, once the events are all there or time is up. */
    async receivedAll(count, withinS, began) {
      const deadline = began + 1_000 * withinS;
      while (received.raised < count && performance.now() < deadline) await sleep(20);
      return received.lastAt - began;
    },
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => server.close(),
  };
}
