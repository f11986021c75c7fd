import { setTimeout as sleep } from 'node:timers/promises';
import { createLorawanSite, provideLorawanSite } from '../lorawan/index.ts';
import type { Target } from '../provision/index.ts';

const SENSORS = 12;
const INTERVAL_MS = 60_000;
const TICK_MS = 5_000;

/**
 * Sends the uplinks of a LoRaWAN site by webhooks, since a demo has no broker of a network server. Gateways
 * have none there: network servers report their state over MQTT only.
 */
export async function publishLorawanSite(
  target: Target,
  { seed, now, signal }: { seed: number; now: () => number; signal: AbortSignal },
): Promise<void> {
  const { client, organizationId } = target;
  const site = createLorawanSite({ seed, sensors: SENSORS, intervalMs: INTERVAL_MS });
  const networkId = await provideLorawanSite(target, { ...site, gateways: [] }, WAY);
  for (let from = now() - INTERVAL_MS; !signal.aborted; ) {
    const to = now();
    for (const { kind, body } of site.messagesBetween(from, to)) {
      if (kind === 'conn' || kind === 'stats') continue;
      const query = { event: kind };
      await client.receiveLorawanEvent({ organizationId, networkId, query, body });
    }
    from = to;
    await sleep(TICK_MS, undefined, { signal }).catch(() => undefined);
  }
}

const WAY = { ingest: 'WEBHOOK' } as const;
