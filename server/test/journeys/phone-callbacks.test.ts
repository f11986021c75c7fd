import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANN, asForm, type PhoneRig, pathOf, SMS, startPhoneRig } from '../support/phone-rig.ts';

type Fields = Record<string, unknown>;

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
