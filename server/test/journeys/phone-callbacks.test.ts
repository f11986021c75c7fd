import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANN, asForm, type PhoneRig, pathOf, SMS, startPhoneRig } from '../support/phone-rig.ts';

type Fields = Record<string, unknown>;

const RECEIPTS = { statusField: 'status', delivered: ['delivered'], failed: ['failed'] };
const MINUTE_MS = 60_000;

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig();
});

afterAll(() => rig.stop());

beforeEach(() => rig.deleteChannels());

const reply = (path: string, From: string, Body: string) =>
  rig.report(path, asForm({ From, Body }));

describe('the address for replies of a phone channel', () => {
  it('is in its record with replies, belongs to it alone, and is in no audit log', async () => {
    const first = await rig.channel();
    expect(first.replyUrl).toMatch(/^https:\/\/watch\.example\.com\/p\/[\w-]{86}\/replies$/);
    expect((await rig.channel()).replyUrl).not.toBe(first.replyUrl);
    expect((await rig.channel({ replies: null })).replyUrl).toBeNull();
    const log = await rig.server.call(operations.listAuditLog, { query: `resourceId=${first.id}` });
    expect(log.text).toContain('fromField');
    expect(log.text).not.toContain('/p/');
  });

  it('is unknown when it is forged, or its channel is deleted or takes no replies', async () => {
    const made = await rig.channel();
    const path = pathOf(made.replyUrl);
    const forged = path.replace('/p/', '/p/A').replace(/.\/replies/, '/replies');
    expect((await reply(forged, ANN, '4711')).status).toBe(404);
    expect((await reply(path, ANN, '4711')).status).toBe(200);
    const params = { channelId: made.id };
    await rig.server.call(operations.updatePhoneChannel, { params, body: { replies: null } });
    expect((await reply(path, ANN, '4711')).status).toBe(404);
    await rig.server.call(operations.deletePhoneChannel, { params });
    expect((await reply(path, ANN, '4711')).status).toBe(404);
  });

  it('takes bodies of 16 KiB at most, no files, and no HEAD', async () => {
    const path = pathOf((await rig.channel()).replyUrl);
    const sized = (length: number) => rig.report(path, asForm({ Body: 'x'.repeat(length - 5) }));
    const statuses = [];
    for (const length of [16_383, 16_384, 16_385]) statuses.push((await sized(length)).status);
    expect(statuses).toEqual([200, 200, 413]);
    const body = new FormData();
    body.set('Body', '4711');
    expect((await rig.report(path, { method: 'POST', body })).status).toBe(415);
    expect((await rig.report(path, { method: 'HEAD' })).status).toBe(405);
  });

  it.each<[Fields, string]>([
    [{ kind: 'VOICE' }, 'replies are for channels of the kind SMS'],
    [{ signature: 'TWILIO', credential: null }, 'credential is required to verify the signature'],
    [
      { receipts: { statusField: 's', delivered: [], failed: [] } },
      'receipts.failed must have at least 1 value',
    ],
  ])('is refused with %j', async (fields, error) => {
    const url = `${rig.service.url}/sms`;
    const { status, body } = await rig.server.call(operations.createPhoneChannel, {
      body: { ...SMS, url, ...fields },
    });
    const [{ path, message }] = body.errors;
    expect([status, `${path} ${message}`]).toEqual([400, expect.stringContaining(error)]);
  });
});

/** A channel for texts and one for calls, both with receipts. */
async function channels(fields: Fields = {}) {
  const query = 'to={{to}}&text={{text}}&dlr={{receiptUrl}}';
  const url = `${rig.service.url}/sms?${query}`;
  await rig.channel({ url, receipts: RECEIPTS, ...fields });
  const call = { kind: 'VOICE', method: 'POST', url: `${rig.service.url}/call` };
  const body = `${query}&twiml={{twiml}}`;
  await rig.channel({ ...call, body, replies: null, receipts: RECEIPTS, ...fields });
}

const requests = (path: string, text: string) =>
  rig.service.sent.filter((each) => each.path === path && each.text?.includes(text));
const nth = async (path: string, text: string, count: number) => {
  const found = () => requests(path, text).length;
  await expect.poll(found, { interval: 50 }).toBe(count);
  return requests(path, text).at(-1) ?? {};
};
const receipt = (sent: Readonly<Record<string, string>>, status: string) =>
  rig.report(pathOf(sent.dlr ?? ''), asForm({ status }));
const deliveryOf = async (pageId: string, channel: string) =>
  (await rig.page(pageId)).deliveries.find((each) => each.channel === channel);
const deliveryStates = (pageId: string, channel: string) =>
  expect.poll(async () => (await deliveryOf(pageId, channel))?.state);

/** A page whose text failed, so that Ann is called. */
async function called(alarmName: string) {
  const made = await rig.paged(alarmName, 'ann');
  await deliveryStates(made.id, 'SMS').toBe('DELIVERED');
  await receipt(await nth('/sms', alarmName, 1), 'failed');
  const call = await nth('/call', alarmName, 1);
  await deliveryStates(made.id, 'VOICE').toBe('DELIVERED');
  return { ...made, call };
}

describe('a receipt of the network', () => {
  it('that a text will not arrive fails it, and lets the next method go at once', async () => {
    await channels();
    const { id } = await called('Failing oil');
    expect(await deliveryOf(id, 'SMS')).toMatchObject({
      state: 'FAILED',
      lastError: 'undeliverable: the network reported that it did not arrive',
    });
    const { body } = await rig.server.call(operations.listDeliveries, {
      query: 'channels=SMS&states=FAILED&take=1',
    });
    expect(body.items[0]).toMatchObject({ receipt: 'FAILED', phone: ANN });
  });

  it('that it arrived is recorded, and a later, doubled or forged one changes nothing', async () => {
    await channels();
    const { id } = await rig.paged('Arriving oil', 'ann');
    const sent = await nth('/sms', 'Arriving oil', 1);
    await deliveryStates(id, 'SMS').toBe('DELIVERED');
    const forged = { dlr: (sent.dlr ?? '').replace('/p/', '/p/A').replace(/.\/rec/, '/rec') };
    expect((await receipt(forged, 'failed')).status).toBe(404);
    for (const status of ['sent', 'delivered', 'delivered', 'failed']) {
      expect(await receipt(sent, status)).toEqual({ status: 200, text: '' });
    }
    expect((await deliveryOf(id, 'SMS'))?.state).toBe('DELIVERED');
    const { body } = await rig.server.call(operations.listDeliveries, {
      query: 'channels=SMS&take=1',
    });
    expect(body.items[0].receipt).toBe('DELIVERED');
    const { text } = await rig.report('/metrics');
    expect(text).toContain('fieldwatch_phone_receipts_total{outcome="delivered"} 1');
    expect(requests('/call', 'Arriving oil')).toEqual([]);
  });

  it('that comes before the answer of the service counts once that is saved', async () => {
    await channels();
    const { id } = await rig.paged('Early oil', 'ann');
    await deliveryStates(id, 'SMS').toBe('DELIVERED');
    // As it was when the service had the request, and the server not its answer.
    await rig.bench.query(
      `update deliveries set state = 'PENDING', attempts = 0, next_at = $2
       where id = $1`,
      [(await deliveryOf(id, 'SMS'))?.id, '2100-01-01T00:00:00Z'],
    );
    await receipt(await nth('/sms', 'Early oil', 1), 'failed');
    expect((await deliveryOf(id, 'SMS'))?.state).toBe('PENDING');
    await rig.bench.query(
      `with due as (update deliveries set next_at = $2 where id = $1 returning target_id)
       update notification_targets set next_at = $2 from due where id = target_id`,
      [(await deliveryOf(id, 'SMS'))?.id, new Date(rig.server.clock.now()).toISOString()],
    );
    await deliveryStates(id, 'SMS').toBe('FAILED');
    await nth('/call', 'Early oil', 1);
  });

  it('that nobody answered has the call repeated, three times in all', async () => {
    await channels();
    const { id, call } = await called('Calling oil');
    await receipt(call, 'failed');
    for (const count of [2, 3]) {
      expect(await deliveryOf(id, 'VOICE')).toMatchObject({ state: 'PENDING' });
      await receipt(call, 'failed');
      rig.server.clock.advance(MINUTE_MS);
      const again = await nth('/call', 'Calling oil', count);
      await deliveryStates(id, 'VOICE').toBe('DELIVERED');
      await receipt(again, 'failed');
    }
    expect(await deliveryOf(id, 'VOICE')).toMatchObject({ state: 'FAILED', attempts: 3 });
  });

  it('has no call repeated once the page is acknowledged', async () => {
    await channels();
    const { id, call, policyId, code } = await called('Answered oil');
    await receipt(call, 'failed');
    const { body } = await rig.server.call(operations.listPhoneChannels, { query: 'take=9' });
    const { replyUrl } = body.items.find(({ kind }: Fields) => kind === 'SMS');
    await reply(pathOf(replyUrl), ANN, code);
    await rig.seen(policyId, { state: 'ACKNOWLEDGED' });
    expect(await deliveryOf(id, 'VOICE')).toMatchObject({ state: 'CANCELLED' });
  });
});

describe('a key during a call', () => {
  const keysIn = (twiml: string) =>
    pathOf(/<Gather numDigits="1" [^>]*action="([^"]+)"/.exec(twiml)?.[1] ?? 'none');
  const press = (path: string, Digits: string) => rig.report(path, asForm({ Digits }));

  it('4 acknowledges the page, and the timeline says by call', async () => {
    await channels();
    const { policyId, call } = await called('Keyed oil');
    expect(call.twiml).toContain('Keyed oil');
    const { status, text } = await press(keysIn(call.twiml ?? ''), '4');
    expect([status, text]).toEqual([200, expect.stringContaining('The page is acknowledged.')]);
    const { timeline } = await rig.seen(policyId, { state: 'ACKNOWLEDGED' });
    const by = { actor: 'ann@example.com', detail: 'by call' };
    expect(timeline.at(-1)).toMatchObject({ kind: 'ACKNOWLEDGED', ...by });
  });

  it('6 escalates it once, and any other repeats the announcement twice', async () => {
    await channels();
    const { id, call, eventId, policyId } = await called('Repeated oil');
    const first = keysIn(call.twiml ?? '');
    const second = await press(first, '');
    expect(second.text).toContain('Repeated oil');
    const third = await press(keysIn(second.text), '5');
    expect(third.text).toContain('Press 4 to acknowledge. Press 6 to escalate.');
    const last = await press(keysIn(third.text), '#');
    expect(last.text).toContain('<Say>Goodbye.</Say><Hangup/>');
    for (let time = 0; time < 2; time += 1) {
      expect((await press(first, '6')).text).toContain('The page is escalated.');
    }
    expect(await rig.timeline(id, 'ESCALATED')).toMatchObject([{ detail: 'by call' }]);
    await rig.bench.clear(eventId);
    await rig.seen(policyId, { state: 'RESOLVED' });
    expect((await press(first, '4')).text).toContain('This page has ended.');
  });

  it('of a signing service needs its signature, and of a forged address is unknown', async () => {
    await channels({ signature: 'NONE' });
    const { call, id } = await called('Forged oil');
    const path = keysIn(call.twiml ?? '');
    const forged = path.replace('/p/', '/p/A').replace(/.\/keys/, '/keys');
    expect((await press(forged, '4')).status).toBe(404);
    const { body } = await rig.server.call(operations.listPhoneChannels, { query: 'take=9' });
    for (const { id: channelId } of body.items) {
      const params = { channelId };
      await rig.server.call(operations.updatePhoneChannel, {
        params,
        body: { signature: 'TWILIO' },
      });
    }
    expect((await press(path, '4')).status).toBe(401);
    expect((await receipt(call, 'failed')).status).toBe(401);
    expect((await rig.page(id)).state).toBe('ACTIVE');
  });
});
