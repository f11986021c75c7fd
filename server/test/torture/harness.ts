import { type Client, createClient } from '@fieldwatch/client';
import type { Random } from '../support/random.ts';
import type { Gateway } from './gateway.ts';
import { KEY, ORGANIZATION_ID, type Service } from './service.ts';
import type { Timeline } from './timeline.ts';

/** What every part of a run shares. */
export interface Harness {
  readonly random: Random;
  readonly service: Service;
  readonly timeline: Timeline;
  /** The network in front of the server, for MQTT and for HTTP. */
  readonly mqtt: Gateway;
  readonly http: Gateway;
  /** Aborted when no new traffic is to begin. */
  readonly stopping: AbortSignal;
  /** How often the client of a Device lost its connection. */
  readonly closes: { count: number };
  /** Answers that no right message may get, and promises that were not kept, by their text. */
  readonly complaints: Map<string, number>;
}

export function complain({ complaints }: Pick<Harness, 'complaints'>, text: string): void {
  complaints.set(text, (complaints.get(text) ?? 0) + 1);
}

/** Past the network in front, for what the harness itself asks. */
function apiOf({ service }: Pick<Harness, 'service'>): Client {
  return createClient({ baseUrl: service.url, credentials: KEY });
}

/** An answer of the server, whatever happens to it meanwhile. */
export async function insist<T>(
  harness: Harness,
  ask: (api: Client, organizationId: string) => Promise<T>,
  limitMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    try {
      return await ask(apiOf(harness), ORGANIZATION_ID);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
