import { operations, WEBHOOK_FORMATS } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotificationBench, notificationBench } from '../support/notification-bench.ts';
import { startServer, type TestServer } from '../support/server.ts';

const URL = 'https://example.com/hook';
const JSON_TEMPLATE = { contentType: 'application/json', body: '{"text":"{{title}} {{ value }}"}' };

let server: TestServer;
let bench: NotificationBench;

type Fields = Record<string, unknown>;

beforeAll(async () => {
  server = await startServer();
  bench = await notificationBench(server);
});

afterAll(async () => {
  await bench.stop();
  await server.stop();
});

const create = (fields: Fields) =>
  server.call(operations.createWebhook, {
    body: { name: 'Chat', url: URL, ...fields },
  });
const update = (webhookId: string, body: Fields) =>
  server.call(operations.updateWebhook, { params: { webhookId }, body });
const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

describe('a webhook with a format', () => {
  it('that is STANDARD has no further fields, as if no format was given', async () => {
    const { body } = await create({ format: 'STANDARD', destination: null, credential: null });
    expect(Object.keys(body).sort()).toEqual(
      ['id', 'name', 'url', 'isActive', 'secret', 'createdDateTime', 'updatedDateTime'].sort(),
    );
  });

  it('never shows its credential, in answers or the audit log', async () => {
    const secrets = { format: 'NTFY', destination: 'plant', credential: 'tk_verysecret' };
    const { body } = await create(secrets);
    expect(body).toMatchObject({ format: 'NTFY', destination: 'plant', hasCredential: true });
    const changed = await update(body.id, { credential: 'tk_othersecret' });
    const log = await server.call(operations.listAuditLog, { query: `resourceId=${body.id}` });
    expect(log.body.items[0].changes).toEqual([{ field: 'credential', from: '***', to: '***' }]);
    const list = await server.call(operations.listWebhooks);
    for (const { text } of [changed, log, list])
      expect(text).not.toMatch(/tk_|verysecret|othersec/);
    const stored = await bench.query<{ encrypted_credential: Buffer }>(
      'select encrypted_credential from webhooks where id = $1',
      [body.id],
    );
    expect(stored[0]?.encrypted_credential.includes('othersecret')).toBe(false);
  });

  it('needs its credential again with another URL, and keeps it otherwise', async () => {
    const { body } = await create({ format: 'PAGERDUTY', credential: 'R0123' });
    const elsewhere = await update(body.id, { url: 'https://attacker.example' });
    expect(errorsOf(elsewhere)).toEqual(['credential is required with another url']);
    const url = 'https://events.eu.pagerduty.com/v2/enqueue';
    expect((await update(body.id, { url, credential: 'R0456' })).body.url).toBe(url);
    expect((await update(body.id, { name: 'Pager' })).body.hasCredential).toBe(true);
  });

  it('drops what another format does not use', async () => {
    const { body } = await create({ format: 'NTFY', destination: 'plant', credential: 'tk' });
    const { body: changed } = await update(body.id, { format: 'DISCORD' });
    expect(changed).not.toHaveProperty('destination');
    expect(changed).not.toHaveProperty('hasCredential');
  });

  it.each<[Fields, string[]]>([
    [{ format: 'IRC' }, [`format must be one of ${WEBHOOK_FORMATS.join(', ')}`]],
    [
      { format: 'TELEGRAM' },
      [
        'destination is required for the format TELEGRAM',
        'credential is required for the format TELEGRAM',
      ],
    ],
    [{ format: 'NTFY' }, ['destination is required for the format NTFY']],
    [{ format: 'PUSHOVER', destination: 'u' }, ['credential is required for the format PUSHOVER']],
    [{ format: 'PAGERDUTY' }, ['credential is required for the format PAGERDUTY']],
    [{ format: 'TEMPLATE' }, ['template is required for the format TEMPLATE']],
    [{ template: JSON_TEMPLATE }, ['template is not used by the format STANDARD']],
    [{ format: 'TEAMS', destination: 'x' }, ['destination is not used by the format TEAMS']],
    [{ credential: 'x' }, ['credential is not used by the format STANDARD']],
    [{ format: 'NTFY', destination: '' }, ['destination must have at least 1 character']],
    [
      { format: 'NTFY', destination: 'x'.repeat(201) },
      ['destination must have at most 200 characters'],
    ],
    [
      { format: 'PAGERDUTY', credential: 'x'.repeat(501) },
      ['credential must have at most 500 characters'],
    ],
    [
      { format: 'TEMPLATE', template: { ...JSON_TEMPLATE, body: '{"v": {{value}} }' } },
      ['template.body must be JSON with its placeholders within the quotes of strings'],
    ],
  ])('refuses %j', async (fields, errors) => {
    const answer = await create(fields);
    expect([answer.status, errorsOf(answer)]).toEqual([400, errors]);
  });

  it('names an unknown placeholder, and takes bodies up to 10 000 characters', async () => {
    const plain = (body: string) =>
      create({ format: 'TEMPLATE', template: { contentType: 'text/plain', body } });
    expect(errorsOf(await plain('{{who}}'))[0]).toMatch(
      /^template\.body has no value for \{\{who\}\}/,
    );
    for (const [length, status] of [
      [9_999, 201],
      [10_000, 201],
      [10_001, 400],
    ] as const) {
      expect((await plain('x'.repeat(length))).status).toBe(status);
    }
  });
});
