import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANN, asForm, type PhoneRig, pathOf, startPhoneRig } from '../support/phone-rig.ts';

const RECEIPTS = {
  ...{ idField: 'data.reference', statusField: 'data.status' },
  ...{ delivered: ['delivered'], failed: ['failed'] },
};

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhoneRig();
});

afterAll(() => rig.stop());

beforeEach(() => rig.deleteChannels());

/** A channel whose service reports to one address, and one for calls. */
async function newChannel(receipts: object = RECEIPTS) {
  const url = `${rig.service.url}/sms?to={{to}}&text={{text}}&ref={{receiptId}}`;
  await rig.channel({ kind: 'VOICE', replies: null, url: url.replace('/sms', '/call') });
  return await rig.channel({ url, receipts });
}

const sentBy = (path: string, text: string) =>
  rig.service.sent.filter((each) => each.path === path && each.text?.includes(text));

async function textOf(alarmName: string) {
  const { id } = await rig.paged(alarmName, 'ann');
  const state = async () => (await delivery(id))?.state;
  await expect.poll(state).toBe('DELIVERED');
  return { id, ref: sentBy('/sms', alarmName)[0]?.ref ?? '' };
}

const delivery = async (pageId: string) =>
  (await rig.page(pageId)).deliveries.find(({ channel }) => channel === 'SMS');

const report = (url: string, reference: string, status: string) =>
  rig.report(pathOf(url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'dlr', data: { reference, status, parts: [{ status }] } }),
  });

describe('the address for receipts of a phone channel', () => {
  it('is in its record only where a field names the message', async () => {
    const { idField: _, ...byAddress } = RECEIPTS;
    expect(await newChannel(byAddress)).not.toHaveProperty('receiptUrl');
    const { receiptUrl, replyUrl } = await newChannel();
    expect(receiptUrl).toBe(replyUrl.replace('/replies', '/receipts'));
  });

  it('takes nested JSON that a text did not arrive, and the next method goes at once', async () => {
    const { receiptUrl = '' } = await newChannel();
    const { id, ref } = await textOf('Nested oil');
    expect(await report(receiptUrl, ref, 'failed')).toEqual({ status: 200, text: '' });
    expect((await delivery(id))?.state).toBe('FAILED');
    const calls = () => sentBy('/call', 'Nested oil').map(({ to }) => to);
    await expect.poll(calls).toEqual([ANN]);
  });

  it('ignores a message that is not one of ours, and another attempt at it', async () => {
    const { receiptUrl = '' } = await newChannel();
    const { id, ref } = await textOf('Ignored oil');
    const others = ['', '4711', ref.replace(/1$/, '2'), ref.replace(/^.{8}/, '00000000')];
    for (const other of others) {
      expect((await report(receiptUrl, other, 'failed')).status).toBe(200);
    }
    expect((await delivery(id))?.state).toBe('DELIVERED');
    const form = asForm({ 'data.reference': ref, 'data.status': 'failed' });
    expect((await rig.report(pathOf(receiptUrl), form)).status).toBe(200);
    expect((await delivery(id))?.state).toBe('FAILED');
  });

  it('is unknown without the field that names the message', async () => {
    const { idField: _, ...byAddress } = RECEIPTS;
    const { replyUrl } = await newChannel(byAddress);
    const { id, ref } = await textOf('Unknown oil');
    const address = replyUrl.replace('/replies', '/receipts');
    expect((await report(address, ref, 'failed')).status).toBe(404);
    expect((await delivery(id))?.state).toBe('DELIVERED');
  });
});
