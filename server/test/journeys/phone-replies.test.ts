import { createHmac } from 'node:crypto';
import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ANN,
  asForm,
  BOB,
  type PhoneRig,
  pathOf,
  SMS,
  startPhoneRig,
} from '../support/phone-rig.ts';
import { startNeighbour } from '../support/server.ts';

const HOUR_MS = 3_600_000;

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig();
});

afterAll(() => rig.stop());

beforeEach(() => rig.deleteChannels());

const reply = (path: string, From: string, Body: string) =>
  rig.report(path, asForm({ From, Body }));

describe('a reply by SMS', () => {
  it('acknowledges the page of its code in the name of the person, and escalates it', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const { id, policyId, code, texts } = await rig.paged('Reply oil', 'ann');
    expect(texts[0]).toMatch(/Reply oil.*\. Reply (\d{4}) to acknowledge, \1 up to escalate$/);
    expect(await reply(path, ANN, ` ${code}. OK!`)).toEqual({ status: 200, text: '' });
    const { timeline, deliveries } = await rig.seen(policyId, { state: 'ACKNOWLEDGED' });
    const by = { actor: 'ann@example.com', detail: 'by SMS' };
    expect(timeline.at(-1)).toMatchObject({ kind: 'ACKNOWLEDGED', ...by });
    expect(deliveries[0]).toMatchObject({ channel: 'SMS', recipient: ANN });
    const audit = await rig.server.call(operations.listAuditLog, { query: 'take=1' });
    expect(audit.text).toContain('ann@example.com, by SMS');

    await reply(path, ANN, `${code} up`);
    expect(await rig.timeline(id, 'ESCALATED')).toMatchObject([by]);
    // A service repeats a report whose answer it missed.
    await reply(path, ANN, `${code} up`);
    expect(await rig.timeline(id, 'ESCALATED')).toHaveLength(1);
  });

  it('comes by GET with a number without its plus sign, and as JSON', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const first = await rig.paged('Get oil', 'ann');
    const query = `From=%2B${ANN.slice(1)}&Body=${first.code}+ok`;
    expect((await rig.report(`${path}?${query}`)).status).toBe(200);
    await rig.seen(first.policyId, { state: 'ACKNOWLEDGED' });
    const second = await rig.paged('Json oil', 'ann');
    await rig.report(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ From: Number(ANN.slice(1)), Body: second.code, more: [1] }),
    });
    await rig.seen(second.policyId, { state: 'ACKNOWLEDGED' });
  });

  it('counts from its own number only, and is answered alike whatever it says', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const { id, policyId, codes } = await rig.paged('Both oil', 'ann', 'bob');
    const [annCode = '', bobCode = ''] = codes;
    const [unknown, wrong] = [await rig.replies('unknown_number'), await rig.replies('wrong_code')];
    const other = annCode === bobCode ? '0000' : annCode;
    for (const [from, text] of [
      ['+4915100000000', annCode],
      ['nobody', annCode],
      [BOB, other],
      [ANN, 'what is this?'],
    ] as const) {
      expect(await reply(path, from, text)).toEqual({ status: 200, text: '' });
    }
    expect((await rig.page(id)).state).toBe('ACTIVE');
    expect(await rig.replies('unknown_number')).toBe(unknown + 2);
    expect(await rig.replies('wrong_code')).toBe(wrong + 1);
    await reply(path, BOB, bobCode);
    await rig.seen(policyId, { state: 'ACKNOWLEDGED', acknowledgedBy: 'bob@example.com' });
  });

  it('with another organization’s address does nothing', async () => {
    await rig.channel();
    const { id, code } = await rig.paged('Neighbour oil', 'ann');
    const neighbour = await startNeighbour(rig.server);
    const path = pathOf((await rig.channel({}, neighbour)).replyUrl);
    expect((await reply(path, ANN, code)).status).toBe(200);
    expect((await rig.page(id)).state).toBe('ACTIVE');
  });

  it('of somebody whose number is no longer verified does nothing', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const { id, code } = await rig.paged('Lost oil', 'bob');
    const verified = (at: string | null) =>
      rig.bench.query('update contact_methods set verified_at = $1 where address = $2', [at, BOB]);
    await verified(null);
    await reply(path, BOB, code);
    expect((await rig.page(id)).state).toBe('ACTIVE');
    await verified(new Date(rig.server.clock.now()).toISOString());
  });

  it('has a code of its own for each open page of a number, free when the page ends', async () => {
    await rig.channel();
    const codesOf = async () =>
      (
        await rig.bench.query<{ code: string }>(
          `select code from page_reply_codes where phone = $1`,
          [ANN],
        )
      ).map(({ code }) => code);
    const first = await rig.paged('First oil', 'ann');
    const second = await rig.paged('Second oil', 'ann');
    expect(first.code).not.toBe(second.code);
    expect(await codesOf()).toEqual(expect.arrayContaining([first.code, second.code]));
    await rig.bench.clear(first.eventId);
    await rig.seen(first.policyId, { state: 'RESOLVED' });
    expect(await codesOf()).not.toContain(first.code);
    expect(await codesOf()).toContain(second.code);
  });

  it('acknowledges a test page, which frees its code', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const auth = await rig.server.signIn('ann@example.com', 'correct horse battery');
    const { body } = await rig.server.call(operations.createTestPage, { auth });
    const sent = () => rig.service.sent.find(({ text }) => text?.includes('Test page'))?.text;
    await expect.poll(sent).toMatch(/Reply \d{4} to/);
    await reply(path, ANN, /Reply (\d{4})/.exec(sent() ?? '')?.[1] ?? '');
    expect(await rig.page(body.id)).toMatchObject({ state: 'ACKNOWLEDGED' });
    const codes = await rig.bench.query('select 1 from page_reply_codes where page_id = $1', [
      body.id,
    ]);
    expect(codes).toEqual([]);
  });

  it('is not asked for where no channel receives replies, nor with 100 open pages', async () => {
    const made = await rig.channel({ replies: null });
    expect((await rig.paged('Silent oil', 'bob')).codes).toEqual(['none']);
    const params = { channelId: made.id };
    await rig.server.call(operations.updatePhoneChannel, {
      params,
      body: { replies: SMS.replies },
    });
    await rig.bench.query('delete from page_reply_codes where phone = $1', [BOB]);
    const { id } = await rig.paged('Last oil', 'ann');
    await rig.bench.query(
      `with made as (
         insert into pages select (json_populate_record(page, json_build_object('id',
           gen_random_uuid(), 'wake_at', null, 'state', 'RESOLVED'))).*
         from pages page, generate_series(1, $3) where page.id = $4 returning id)
       insert into page_reply_codes (organization_id, phone, code, page_id, user_id, created_at)
       select $1, $2, (1000 + row_number() over ())::text, id, $5, now() from made`,
      [rig.server.organizationId, BOB, 99, id, rig.people.get('bob')],
    );
    expect((await rig.paged('Hundredth oil', 'bob')).code).toMatch(/^\d{4}$/);
    expect((await rig.paged('Too many oil', 'bob')).codes).toEqual(['none']);
    await rig.bench.query('delete from page_reply_codes where phone = $1', [BOB]);
  });

  it('with a wrong code is ignored from the eleventh of an hour on', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    rig.server.clock.advance(HOUR_MS);
    const { id, policyId, code } = await rig.paged('Guessed oil', 'ann');
    for (let count = 0; count < 10; count += 1) await reply(path, ANN, '0000');
    const limited = await rig.replies('limited');
    await reply(path, ANN, code);
    expect((await rig.page(id)).state).toBe('ACTIVE');
    expect(await rig.replies('limited')).toBe(limited + 1);
    rig.server.clock.advance(HOUR_MS);
    await reply(path, ANN, code);
    await rig.seen(policyId, { state: 'ACKNOWLEDGED' });
  });

  it('of a service that signs is taken with the right signature only', async () => {
    const made = await rig.channel({ signature: 'TWILIO' });
    const { id, policyId, code } = await rig.paged('Signed oil', 'ann');
    const fields = { From: ANN, Body: code, AccountSid: 'AC1' };
    const signed = `${made.replyUrl}AccountSidAC1Body${code}From${ANN}`;
    const signature = (key: string) => createHmac('sha1', key).update(signed).digest('base64');
    const sent = (headers: Record<string, string>) =>
      rig.report(pathOf(made.replyUrl), asForm(fields, headers));
    expect((await sent({})).status).toBe(401);
    expect((await sent({ 'x-twilio-signature': signature('guess') })).status).toBe(401);
    expect((await rig.page(id)).state).toBe('ACTIVE');
    const { status, text } = await sent({ 'x-twilio-signature': signature('auth token') });
    expect([status, text]).toEqual([200, expect.stringContaining('<Response></Response>')]);
    await rig.seen(policyId, { state: 'ACKNOWLEDGED' });
  });
});
