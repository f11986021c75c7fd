import { type Client, createClient } from '@fieldwatch/client';
import type { Random } from '../support/random.ts';
import type { Gateway } from './gateway.ts';
import { KEY, ORGANIZATION_ID, type Service } from './service.ts';
import type { Timeline } from './timeline.ts';

/** A port of the loopback interface; it may be another one at each look. */
export interface Endpoint {
  readonly port: number;
}

/** What every part of a run shares. */
export interface Harness {
  readonly random: Random;
  readonly timeline: Timeline;
  /** Where clients connect. */
  readonly mqtt: Endpoint;
  readonly http: Endpoint;
  /** Where the harness itself sends its requests. */
  readonly api: Endpoint;
  /** Aborted when no new traffic is to begin. */
  readonly stopping: AbortSignal;
  /** How often the client of a Device lost its connection. */
  readonly closes: { count: number };
  /** Answers that no right message may get, and promises that were not kept, by their text. */
  readonly complaints: Map<string, number>;
}

/** A run with one server, and the network in front of it. */
export interface ServerHarness extends Harness {
  readonly service: Service;
  readonly mqtt: Gateway;
  readonly http: Gateway;
}

export function complain({ complaints }: Pick<Harness, 'complaints'>, text: string): void {
  complaints.set(text, (complaints.get(text) ?? 0) + 1);
}

/** To make one takes longer than a request does. */
const clients = new Map<string, Client>();

/** Past the network in front, for what the harness itself asks. */
export function apiAt({ port }: Endpoint): Client {
  const baseUrl = `http://127.0.0.1:${port || 1}`;
  const client = clients.get(baseUrl) ?? createClient({ baseUrl, credentials: KEY });
  clients.set(baseUrl, client);
  return client;
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
      return await ask(apiAt(harness.api), ORGANIZATION_ID);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
