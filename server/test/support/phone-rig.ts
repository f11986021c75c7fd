import { operations, type PageDetails } from '@fieldwatch/contract';
import { expect } from 'vitest';
import { type NotificationBench, notificationBench } from './notification-bench.ts';
import { type PagingCalls, pagingCalls } from './paging.ts';
import { type PhoneService, startPhoneService } from './phone-service.ts';
import { startServer, type TestServer } from './server.ts';

const PUBLIC_URL = 'https://watch.example.com';
export const ANN = '+4915112345678';
export const BOB = '+4915187654321';
const PASSWORD = 'correct horse battery';

type Fields = Record<string, unknown>;

/** A channel whose service reports replies in the fields of Twilio. */
export const SMS = {
  ...{ name: 'Service', kind: 'SMS', method: 'GET', credential: 'AC1:auth token' },
  replies: { fromField: 'From', textField: 'Body' },
};

export interface PagedByPhone {
  readonly policyId: string;
  readonly eventId: string;
  readonly id: string;
  /** Of the people in the order of their numbers. */
  readonly texts: readonly string[];
  readonly codes: readonly string[];
  readonly code: string;
}

/** A server whose members Ann and Bob have verified their numbers, and a service that reaches them. */
export interface PhoneRig extends Pick<PagingCalls, 'page' | 'seen'> {
  readonly server: TestServer;
  readonly bench: NotificationBench;
  readonly service: PhoneService;
  readonly people: ReadonlyMap<string, string>;
  channel(
    fields?: Fields,
    at?: TestServer,
  ): Promise<{ id: string; replyUrl: string; receiptUrl?: string }>;
  deleteChannels(): Promise<void>;
  /** The answer of the server to what a service reports. */
  report(path: string, init?: RequestInit): Promise<{ status: number; text: string }>;
  /** Pages people, and waits until each got a message. */
  paged(alarmName: string, ...names: readonly string[]): Promise<PagedByPhone>;
  /** How often replies came to something. */
  replies(outcome: string): Promise<number>;
  timeline(pageId: string, kind: string): Promise<PageDetails['timeline']>;
  stop(): Promise<void>;
}

/** The path of an address that a service was given. */
export const pathOf = (url: string) => url.replace(PUBLIC_URL, '');

export const asForm = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

export async function startPhoneRig(env: Readonly<Record<string, string>> = {}): Promise<PhoneRig> {
  const own = { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1', FIELDWATCH_PUBLIC_URL: PUBLIC_URL };
  const server = await startServer({ env: { ...own, ...env } });
  const bench = await notificationBench(server);
  const service = await startPhoneService();
  const people = await verifiedPeople(server, bench);
  const calls = pagingCalls(() => server);
  const { newPagedGroup, page, seen } = calls;
  const report = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, init);
    return { status: response.status, text: await response.text() };
  };
  return {
    ...{ server, bench, service, people, page, seen, report },
    async channel(fields = {}, at = server) {
      const url = `${service.url}/sms?to={{to}}&text={{text}}`;
      const made = await at.call(operations.createPhoneChannel, {
        body: { ...SMS, url, ...fields },
      });
      expect(made.status, made.text).toBe(201);
      return made.body;
    },
    async deleteChannels() {
      const { body } = await server.call(operations.listPhoneChannels, { query: 'take=100' });
      for (const { id } of body.items) {
        await server.call(operations.deletePhoneChannel, { params: { channelId: id } });
      }
      service.sent.length = 0;
    },
    async paged(alarmName, ...names) {
      const targets = names.map((name) => ({ kind: 'USER', userId: people.get(name) }));
      const steps = [0, 7200].map((afterSeconds) => ({ afterSeconds, targets }));
      const { alarmGroupId, policyId } = await newPagedGroup({ steps });
      const eventId = await bench.notify({ alarmGroupId, alarmName });
      const found = () =>
        service.sent
          .filter(({ text = '' }) => text.includes(alarmName))
          .sort((a, b) => (a.to ?? '').localeCompare(b.to ?? ''))
          .map(({ text = '' }) => text);
      await expect.poll(() => found().length, { timeout: 10_000, interval: 50 }).toBe(names.length);
      const { id } = await seen(policyId, { step: 0 });
      const texts = found();
      const codes = texts.map((text) => / Reply (\d{4}) to ack/.exec(text)?.[1] ?? 'none');
      return { policyId, eventId, id, texts, codes, code: codes[0] ?? '' };
    },
    async replies(outcome) {
      const { text } = await report('/metrics');
      const line = `fieldwatch_phone_replies_total{outcome="${outcome}"} `;
      const found = text.split('\n').find((each) => each.startsWith(line));
      return Number(found?.slice(line.length) ?? 0);
    },
    timeline: async (pageId, kind) =>
      (await page(pageId)).timeline.filter((entry) => entry.kind === kind),
    async stop() {
      await bench.stop();
      await server.stop();
      await service.stop();
    },
  };
}

/** Their ids by name; each has SMS first, then calls. */
async function verifiedPeople(
  server: TestServer,
  bench: NotificationBench,
): Promise<ReadonlyMap<string, string>> {
  const people = new Map<string, string>();
  for (const [name, address] of [
    ['ann', ANN],
    ['bob', BOB],
  ] as const) {
    const email = `${name}@example.com`;
    const { body } = await server.call(operations.createUser, {
      body: { email, role: 'EDITOR', password: PASSWORD },
    });
    people.set(name, body.id);
    const auth = await server.signIn(email, PASSWORD);
    for (const kind of ['SMS', 'VOICE']) {
      await server.call(operations.createContactMethod, { auth, body: { kind, address } });
    }
  }
  const at = new Date(server.clock.now()).toISOString();
  await bench.query('update contact_methods set verified_at = $1', [at]);
  return people;
}
