import { operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listMails, type MailRig, newMailGroup, startMailRig } from '../support/mail.ts';
import { notificationBench } from '../support/notification-bench.ts';
import { startServer, type TestServer } from '../support/server.ts';

const latest = async (server: TestServer) => (await listMails(server, 1))[0];

/** A part of a letter in the words of its writer. */
function decoded(text: string): string {
  return text
    .replaceAll(/=\n/g, '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (run) =>
      Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'),
    );
}

describe('with a mail server', () => {
  let smtp: MailRig['smtp'];
  let server: MailRig['server'];
  let bench: MailRig['bench'];
  let stop: MailRig['stop'];

  beforeAll(async () => {
    ({ smtp, server, bench, stop } = await startMailRig({
      FIELDWATCH_PUBLIC_URL: 'https://watch.example.org/',
    }));
  });

  afterEach(() => {
    smtp.refuse(null);
    smtp.refuseSender(null);
  });

  afterAll(() => stop());

  it('an event comes as a mail in text and HTML, with a link', async () => {
    const alarmGroupId = await newMailGroup(server, 'Ann.Ops@example.com');
    const eventId = await bench.notify({ alarmGroupId, alarmName: 'Oil <b>pressure</b> low' });
    await expect.poll(() => latest(server)).toMatchObject({ state: 'DELIVERED', lastStatus: 250 });
    const delivery = await latest(server);
    expect(delivery).toMatchObject({
      channel: 'EMAIL',
      email: 'Ann.Ops@example.com',
      webhookId: null,
      attempts: 1,
    });
    const letter = smtp.letters.at(-1);
    expect([letter?.from, letter?.to]).toEqual(['alarms@example.org', ['Ann.Ops@example.com']]);
    const text = decoded(letter?.text ?? '');
    expect(text).toMatch(/^Subject: \[CRITICAL\] Oil <b>pressure<\/b> low: Generator 2$/m);
    expect(text).toMatch(/^To: Ann\.Ops@example\.com$/m);
    expect(text).toMatch(/^Message-ID: <[0-9a-f]{32}@example\.org>$/m);
    expect(text).toContain('Auto-Submitted: auto-generated');
    expect(text).toContain('Variable: Oil pressure');
    expect(text).toContain('Condition: Oil pressure is below 2 bar');
    expect(text).toContain(`\nhttps://watch.example.org/alarms/events/${eventId}`);
    expect(text).toContain('Oil &lt;b&gt;pressure&lt;/b&gt; low');
    expect(text).toContain(`href="https://watch.example.org/alarms/events/${eventId}"`);
  });

  it('a line break in a name adds no header', async () => {
    const alarmGroupId = await newMailGroup(server, 'second@example.com');
    const count = smtp.letters.length;
    await bench.notify({ alarmGroupId, alarmName: 'Low\r\nBcc: victim@example.com' });
    await expect.poll(() => smtp.letters.length).toBe(count + 1);
    expect(smtp.letters.at(-1)?.to).toEqual(['second@example.com']);
    const [headers = ''] = (smtp.letters.at(-1)?.text ?? '').split('\n\n');
    expect(headers).not.toMatch(/^Bcc/im);
  });

  it('an address that is refused for a while is tried again, one refused for good is not', async () => {
    const alarmGroupId = await newMailGroup(server, 'third@example.com');
    smtp.refuse(450);
    await bench.notify({ alarmGroupId });
    await expect
      .poll(() => latest(server))
      .toMatchObject({
        email: 'third@example.com',
        state: 'PENDING',
        lastStatus: 450,
        lastError: 'the mail server did not take it (450)',
      });
    smtp.refuse(550);
    server.clock.advance(11_000);
    await expect.poll(() => latest(server)).toMatchObject({ state: 'FAILED', lastStatus: 550 });
  });

  it('a mail server that refuses us, not the address, is tried again', async () => {
    const alarmGroupId = await newMailGroup(server, 'fourth@example.com');
    smtp.refuseSender(530);
    await bench.notify({ alarmGroupId });
    await expect
      .poll(() => latest(server))
      .toMatchObject({ email: 'fourth@example.com', state: 'PENDING', lastStatus: 530 });
    smtp.refuseSender(null);
    server.clock.advance(11_000);
    await expect.poll(() => latest(server)).toMatchObject({ state: 'DELIVERED' });
  });

  it('a mail has the location of the Device and the local time there', async () => {
    const site = { name: 'Plant', timeZone: 'Asia/Kolkata' };
    const { body: plant } = await server.call(operations.createLocation, { body: site });
    const hall = { name: 'Hall 2', parentId: plant.id };
    const { body: inner } = await server.call(operations.createLocation, { body: hall });
    const alarmGroupId = await newMailGroup(server, 'place@example.com');
    const count = smtp.letters.length;
    await bench.notify({ alarmGroupId, locationId: inner.id });
    await expect.poll(() => smtp.letters.length).toBe(count + 1);
    const text = decoded(smtp.letters.at(-1)?.text ?? '');
    expect(text).toContain('Location: Plant / Hall 2');
    expect(text).toMatch(/^Raised: \S+ \S+ GMT\+5:30 \(\S+ \S+ UTC\), at 1\.5 bar$/m);
  });

  it('the mail of a cleared event answers the one that reported it raised', async () => {
    const alarmGroupId = await newMailGroup(server, 'thread@example.com');
    const count = smtp.letters.length;
    const eventId = await bench.notify({ alarmGroupId });
    await expect.poll(() => smtp.letters.length).toBe(count + 1);
    await bench.clear(eventId);
    await expect.poll(() => smtp.letters.length).toBe(count + 2);
    const [raised, cleared] = smtp.letters
      .slice(count)
      .map(({ text }) => text.replaceAll('\n ', ' '));
    const [, raisedId = 'none'] = /^Message-ID: (<.*>)$/m.exec(raised ?? '') ?? [];
    expect(raised).not.toMatch(/^In-Reply-To/m);
    expect(cleared).toContain(`In-Reply-To: ${raisedId}`);
    expect(cleared).toContain(`References: ${raisedId}`);
    expect(cleared).not.toContain(`Message-ID: ${raisedId}`);
  });

  it('control and direction characters of a name are visible in subject and text', async () => {
    const alarmGroupId = await newMailGroup(server, 'controls@example.com');
    const count = smtp.letters.length;
    await bench.notify({ alarmGroupId, alarmName: 'Low\u202egnp\u0007' });
    await expect.poll(() => smtp.letters.length).toBe(count + 1);
    const text = decoded(smtp.letters.at(-1)?.text ?? '');
    expect(text).toContain('Alarm: Low\\u202egnp\\u0007');
    expect(text).not.toContain('\u202e');
    expect(text).not.toContain('\u0007');
  });

  describe('the unsubscribe link of a mail', () => {
    async function linkOf(email: string) {
      const alarmGroupId = await newMailGroup(server, email);
      const count = smtp.letters.length;
      await bench.notify({ alarmGroupId });
      await expect.poll(() => smtp.letters.length).toBe(count + 1);
      const headers = (smtp.letters.at(-1)?.text ?? '').replaceAll('\n ', ' ');
      expect(headers).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
      const [, path = ''] =
        /^List-Unsubscribe: <https:\/\/watch\.example\.org(\/unsubscribe\/.*)>$/m.exec(headers) ??
        [];
      const subscriptions = async () =>
        (await server.call(operations.retrieveAlarmGroup, { params: { alarmGroupId } })).body
          .subscriptions;
      return { alarmGroupId, url: `${server.url}${path}`, subscriptions };
    }

    const oneClick = (url: string) =>
      fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });

    it('asks when it is opened, and changes nothing', async () => {
      const { url, subscriptions } = await linkOf('asked@example.com');
      const opened = await fetch(url);
      expect(opened.status).toBe(200);
      expect(opened.headers.get('content-type')).toContain('text/html');
      expect(opened.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(await opened.text()).toContain('<form method="post">');
      expect(await subscriptions()).toHaveLength(1);
    });

    it('removes the address with one click, which the audit log records', async () => {
      const { url, subscriptions, alarmGroupId } = await linkOf('Clicked@example.com');
      expect((await oneClick(url)).status).toBe(200);
      expect(await subscriptions()).toEqual([]);
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200);
      const query = `resourceId=${alarmGroupId}`;
      const { items } = (await server.call(operations.listAuditLog, { query })).body;
      expect(items.map(({ operation }: { operation: string }) => operation)).toEqual([
        'unsubscribe',
        'createAlarmGroup',
      ]);
      expect(items[0].changes[0]).toMatchObject({ field: 'subscriptions', to: [] });
    });

    it('leaves other addresses and webhooks of the group alone', async () => {
      const { url, subscriptions, alarmGroupId } = await linkOf('one@example.com');
      const both = ['other@example.com', 'ONE@example.com'].map((email) => ({
        kind: 'EMAIL',
        email,
      }));
      const params = { alarmGroupId };
      await server.call(operations.updateAlarmGroup, { params, body: { subscriptions: both } });
      expect((await oneClick(url)).status).toBe(200);
      expect(await subscriptions()).toMatchObject([{ email: 'other@example.com' }]);
    });

    it('that is forged is answered like an unknown one', async () => {
      const { url, subscriptions } = await linkOf('forged@example.com');
      const forged = url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
      for (const each of [forged, `${url}A`, `${server.url}/unsubscribe/x`]) {
        expect((await oneClick(each)).status).toBe(404);
        expect((await fetch(each)).status).toBe(404);
      }
      expect(await subscriptions()).toHaveLength(1);
    });

    it('takes no form larger than 16 KiB, and no other operation takes a form', async () => {
      const { url } = await linkOf('large@example.com');
      const post = (to: string, bytes: number) =>
        fetch(to, { method: 'POST', body: new URLSearchParams({ a: 'x'.repeat(bytes - 2) }) });
      expect((await post(url, 16 * 1024 + 1)).status).toBe(413);
      expect((await post(url, 16 * 1024)).status).toBe(200);
      expect((await post(`${server.url}/auth/v1/token`, 16)).status).toBe(415);
    });
  });

  it('more than twenty within a minute come as one', async () => {
    const alarmGroupId = await newMailGroup(server, 'storm@example.com');
    const count = smtp.letters.length;
    await bench.notifyMany(30, { alarmGroupId, severity: 'HIGH' });
    await expect.poll(() => latest(server)).toMatchObject({ type: 'alarm.digest', eventCount: 30 });
    server.clock.advance(5_000);
    await expect.poll(() => smtp.letters.length).toBe(count + 1);
    const text = decoded(smtp.letters.at(-1)?.text ?? '');
    expect(text).toMatch(/^Subject: \[HIGH\] 30 alarm messages within a short time$/m);
    expect(text).toContain('raised: 30 HIGH');
    expect(text).toContain('and 10 more');
  });
});

describe('without a mail server', () => {
  it('mail is recorded as undeliverable in the delivery log', async () => {
    const server = await startServer();
    const bench = await notificationBench(server);
    try {
      await bench.notify({ alarmGroupId: await newMailGroup(server, 'nobody@example.com') });
      await expect
        .poll(() => latest(server))
        .toMatchObject({
          email: 'nobody@example.com',
          state: 'FAILED',
          lastError: 'undeliverable: no mail server is configured (FIELDWATCH_SMTP_URL)',
        });
    } finally {
      await bench.stop();
      await server.stop();
    }
  });
});
