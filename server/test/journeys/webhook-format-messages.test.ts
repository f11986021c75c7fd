import { operations } from '@fieldwatch/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { webhookCalls } from '../support/webhook-calls.ts';

const PUBLIC_URL = 'https://fieldwatch.example.com';
const TITLE = '[CRITICAL] Oil pressure low: Generator 2';

let server: TestServer;
let bench: NotificationBench;
let receiver: Receiver;

const calls = webhookCalls(() => server);

type Fields = Record<string, unknown>;

beforeAll(async () => {
  server = await startServer({
    env: { FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1', FIELDWATCH_PUBLIC_URL: PUBLIC_URL },
  });
  bench = await notificationBench(server);
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
});

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.stop());

const create = (fields: Fields) =>
  server.call(operations.createWebhook, {
    body: { name: 'Chat', url: receiver.url, ...fields },
  });
const update = (webhookId: string, body: Fields) =>
  server.call(operations.updateWebhook, { params: { webhookId }, body });

async function subscribed(fields: Fields) {
  const { body: webhook } = await create(fields);
  const alarmGroupId = await calls.newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]);
  return { webhook, alarmGroupId };
}

/** The request that a raised event makes at the webhook. */
async function raised(fields: Fields, event: { alarmName?: string } = {}) {
  const { webhook, alarmGroupId } = await subscribed(fields);
  const eventId = await bench.notify({ alarmGroupId, ...event });
  await calls.seen(webhook.id, { state: 'DELIVERED' });
  const [request] = receiver.received;
  if (!request) throw new Error('nothing arrived');
  return {
    webhook,
    alarmGroupId,
    eventId,
    request,
    link: `${PUBLIC_URL}/alarms/events/${eventId}`,
  };
}

describe('a raised event', () => {
  it('is a CloudEvent, signed', async () => {
    const { webhook, eventId, request } = await raised({ format: 'CLOUDEVENTS' });
    const { headers, text, body } = request;
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(body).toEqual({
      specversion: '1.0',
      id: headers['webhook-id'],
      type: 'io.fieldwatch.alarm.raised',
      source: `/organizations/${server.organizationId}/alarms/${body.data.alarmId}`,
      subject: eventId,
      time: body.data.raisedDateTime,
      datacontenttype: 'application/json',
      data: body.data,
    });
    expect(body.data).toMatchObject({ raisedValue: 1.5, context: { unit: 'bar' } });
    new Verifier(webhook.secret).verify(text, headers as Record<string, string>);
  });

  it('is a message of Slack, in which no name is markup', async () => {
    const alarmName = '<!channel> & *Oil*';
    const fields = { format: 'SLACK', destination: '#plant' };
    const { request, link } = await raised(fields, { alarmName });
    const { headers, body } = request;
    expect(body.channel).toBe('#plant');
    expect(body.text).toBe('[CRITICAL] &lt;!channel&gt; &amp; *Oil*: Generator 2');
    expect(body.blocks[0]).toEqual({
      type: 'header',
      text: { type: 'plain_text', text: `[CRITICAL] ${alarmName}: Generator 2`, emoji: false },
    });
    expect(body.blocks[1].text.text).toContain('Alarm: &lt;!channel&gt; &amp; *Oil*\n');
    expect(body.blocks[1].text.text).toContain(`\n<${link}|Open in Fieldwatch>`);
    expect(headers).not.toHaveProperty('webhook-signature');
  });

  it('is an Adaptive Card of Teams', async () => {
    const { request, link } = await raised({ format: 'TEAMS' });
    const [{ contentType, content }] = request.body.attachments;
    expect(request.body.type).toBe('message');
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.body[0]).toMatchObject({ type: 'TextBlock', color: 'Attention' });
    expect(content.body[0].text).toBe(TITLE.replace('[', '\\[').replace(']', '\\]'));
    expect(content.body[1].facts).toContainEqual({ title: 'Device', value: 'Generator 2' });
    expect(content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open in Fieldwatch', url: link },
    ]);
  });

  it('is a message of Discord that mentions nobody', async () => {
    const { request, link } = await raised({ format: 'DISCORD' }, { alarmName: '@everyone **x**' });
    expect(request.body).toMatchObject({
      content: '\\[CRITICAL\\] @everyone \\*\\*x\\*\\*: Generator 2',
      embeds: [{ title: 'Open in Fieldwatch', url: link }],
      allowed_mentions: { parse: [] },
    });
    expect(request.body.embeds[0].description).toContain('Device: Generator 2');
  });

  it('is a message of a Telegram bot, whose token is in the path alone', async () => {
    const fields = { format: 'TELEGRAM', destination: '-1001234', credential: '12:AbC' };
    const { request, link } = await raised(fields, { alarmName: 'Oil <low>' });
    expect(request.path).toBe('/hook/bot12:AbC/sendMessage');
    expect(request.body).toMatchObject({ chat_id: '-1001234', parse_mode: 'HTML' });
    expect(request.body.text).toContain('<b>[CRITICAL] Oil &lt;low&gt;: Generator 2</b>\nStatus: ');
    expect(request.body.text).toContain(`<a href="${link}">Open in Fieldwatch</a>`);
    expect(request.text).not.toContain('AbC');
  });

  it('is a message of ntfy that opens a page, and low in priority once cleared', async () => {
    const fields = { format: 'NTFY', destination: 'plant', credential: 'tk_1' };
    const { webhook, request, link, eventId } = await raised(fields);
    expect(request.headers.authorization).toBe('Bearer tk_1');
    expect(request.body).toEqual({
      topic: 'plant',
      title: TITLE,
      message: request.body.message,
      priority: 5,
      tags: ['rotating_light'],
      click: link,
      actions: [{ action: 'view', label: 'Acknowledge', url: link }],
    });
    await bench.clear(eventId);
    await calls.seen(webhook.id, { type: 'alarm.cleared', state: 'DELIVERED' });
    expect(receiver.received[1]?.body).toMatchObject({
      priority: 2,
      title: '[CRITICAL] Cleared: Oil pressure low: Generator 2',
    });
  });

  it('is a form of Pushover', async () => {
    const { request, link } = await raised({
      ...{ format: 'PUSHOVER', destination: 'user', credential: 'token' },
    });
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const form = Object.fromEntries(new URLSearchParams(request.text));
    expect(form).toMatchObject({ token: 'token', user: 'user', title: TITLE, priority: '1' });
    expect(form).toMatchObject({ url: link, url_title: 'Open in Fieldwatch' });
  });

  it('triggers PagerDuty, and acknowledges and resolves by the same key', async () => {
    const fields = { format: 'PAGERDUTY', credential: 'R012' };
    const { webhook, alarmGroupId, request, link, eventId } = await raised(fields);
    expect(request.body).toEqual({
      routing_key: 'R012',
      event_action: 'trigger',
      dedup_key: eventId,
      client: 'Fieldwatch',
      payload: {
        summary: TITLE,
        source: 'Generator 2',
        severity: 'critical',
        timestamp: request.body.payload.timestamp,
        component: 'Oil pressure',
        class: 'Oil pressure low',
        custom_details: {
          ...{ value: 1.5, unit: 'bar', operator: 'LESS_THAN', threshold: 2 },
          alarmId: request.body.payload.custom_details.alarmId,
          deviceId: request.body.payload.custom_details.deviceId,
        },
      },
      links: [{ href: link, text: 'Open in Fieldwatch' }],
    });
    await bench.clear(eventId);
    await calls.seen(webhook.id, { type: 'alarm.cleared', state: 'DELIVERED' });
    const resolve = { routing_key: 'R012', event_action: 'resolve', dedup_key: eventId };
    expect(receiver.received[1]?.body).toEqual(resolve);
    const other = await bench.notify({ alarmGroupId, kind: 'acknowledged' });
    await calls.seen(webhook.id, { type: 'alarm.acknowledged', state: 'DELIVERED' });
    expect(receiver.received[2]?.body).toMatchObject({
      ...{ event_action: 'acknowledge', dedup_key: other },
    });
  });

  it('fills a template, escaped for JSON, with its signature', async () => {
    const body =
      '{"a":"{{alarm}}","v":"{{value}} {{unit}}","to":"{{destination}}","k":"{{credential}}"}';
    const template = { contentType: 'application/json', body };
    const fields = { format: 'TEMPLATE', template, destination: 'me', credential: 'k"1' };
    const { webhook, request } = await raised(fields, { alarmName: 'a"\\b{{value}}' });
    expect(request.body).toEqual({ a: 'a"\\b{{value}}', v: '1.5 bar', to: 'me', k: 'k"1' });
    new Verifier(webhook.secret).verify(request.text, request.headers as Record<string, string>);
  });

  it('fills a template, escaped for a form', async () => {
    const template = {
      contentType: 'application/x-www-form-urlencoded',
      body: 'text={{alarm}}&link={{link}}',
    };
    const { request, link } = await raised(
      { format: 'TEMPLATE', template },
      { alarmName: 'a&b=ü' },
    );
    const form = Object.fromEntries(new URLSearchParams(request.text));
    expect(form).toEqual({ text: 'a&b=ü', link });
  });

  it('that a service refuses with 400 is given up, and sent in a new format at once', async () => {
    const { webhook, alarmGroupId } = await subscribed({ format: 'DISCORD' });
    receiver.answer(400);
    await bench.notify({ alarmGroupId });
    await calls.seen(webhook.id, { state: 'FAILED', lastError: 'the answer was 400' });
    receiver.answer(500);
    await bench.notify({ alarmGroupId });
    await calls.seen(webhook.id, { state: 'PENDING', attempts: 1 });
    receiver.answer(200);
    await update(webhook.id, { format: 'SLACK' });
    await calls.seen(webhook.id, { state: 'DELIVERED' });
    expect(receiver.received.at(-1)?.body).toHaveProperty('blocks');
  });
});

describe('a service that keeps the state of events', () => {
  it('gets each of 30 events alone, never a digest', async () => {
    const { webhook, alarmGroupId } = await subscribed({ format: 'PAGERDUTY', credential: 'R' });
    await bench.notifyMany(30, { alarmGroupId });
    await expect.poll(() => receiver.received.length).toBe(30);
    const keys = receiver.received.map(({ body }) => body.dedup_key);
    expect(new Set(keys).size).toBe(30);
    expect((await calls.deliveries(webhook.id)).count).toBe(30);
  });

  it('that is an Alertmanager gets open events again every 4 minutes until they clear', async () => {
    const { webhook, eventId, request, link } = await raised({ format: 'ALERTMANAGER' });
    const [alert] = request.body;
    expect(alert).toEqual({
      labels: {
        alertname: 'Oil pressure low',
        severity: 'critical',
        device: 'Generator 2',
        variable: 'Oil pressure',
        event_id: eventId,
      },
      annotations: { summary: TITLE, description: alert.annotations.description },
      startsAt: alert.startsAt,
      generatorURL: link,
    });
    receiver.answer(503);
    server.clock.advance(4 * 60_000);
    await expect.poll(() => receiver.received.length).toBe(2);
    receiver.answer(200);
    server.clock.advance(30_000);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(receiver.received[2]?.body).toEqual([alert]);
    await bench.clear(eventId);
    await calls.seen(webhook.id, { type: 'alarm.cleared', state: 'DELIVERED' });
    const [cleared] = receiver.received[3]?.body ?? [];
    expect(cleared.labels).toEqual(alert.labels);
    expect(cleared.endsAt >= cleared.startsAt).toBe(true);
    server.clock.advance(4 * 60_000);
    await bench.notify({
      alarmGroupId: await calls.newGroup([{ kind: 'WEBHOOK', webhookId: webhook.id }]),
    });
    await calls.seen(webhook.id, { type: 'alarm.raised', state: 'DELIVERED' });
    expect(
      receiver.received.slice(4).every(({ body }) => body[0].labels.event_id !== eventId),
    ).toBe(true);
  });
});
