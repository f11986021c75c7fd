import { PHONE_PRESETS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { type PhoneMessage, requestOf } from './request.ts';

const MESSAGE: PhoneMessage = {
  id: '018f0000-0000-7000-8000-000000000001',
  to: '+4366012345',
  text: 'Too "hot"',
  link: '',
  receiptUrl: 'https://watch.example.com/p/x/receipts',
  receiptId: '018f0000-0000-7000-8000-000000000001.1',
  keysUrl: null,
};

const presetOf = (wanted: string) => {
  const found = PHONE_PRESETS.find(({ name }) => name === wanted);
  if (!found) throw new Error(`there is no preset ${wanted}`);
  return { ...found, from: 'Plant' };
};
const bodyOf = (name: string, receiptUrl = MESSAGE.receiptUrl) =>
  requestOf(presetOf(name), 'user:password', { ...MESSAGE, receiptUrl }).body;

describe('the request of a preset with receipts', () => {
  it('names the address for receipts in JSON, and leaves its member out where there is none', () => {
    const sent = { from: 'Plant', to: ['4366012345'], delivery_report: 'per_recipient' };
    expect(JSON.parse(bodyOf('Sinch'))).toMatchObject({
      ...sent,
      callback_url: MESSAGE.receiptUrl,
    });
    expect(JSON.parse(bodyOf('Sinch', ''))).toEqual({ ...sent, body: 'Too "hot" ' });
  });

  it('names it in a form with the reference that MessageBird requires, and leaves it out', () => {
    const fields = new URLSearchParams(bodyOf('MessageBird'));
    expect([fields.get('reference'), fields.get('reportUrl')]).toEqual([
      MESSAGE.id,
      MESSAGE.receiptUrl,
    ]);
    expect(new URLSearchParams(bodyOf('MessageBird', '')).has('reportUrl')).toBe(false);
  });

  it('names the attempt in the field that ClickSend returns with its receipts', () => {
    const [sent] = JSON.parse(bodyOf('ClickSend')).messages;
    expect(sent.custom_string).toBe(MESSAGE.receiptId);
    expect(presetOf('ClickSend').receipts?.idField).toBe('custom_string');
  });

  it.each([
    '{"u":"{{receiptUrl}}"}',
    '{"u":"{{receiptUrl}}","a":"{{to}}"}',
    '{"a":"{{to}}" , "u" : "{{ receiptUrl }}"}',
  ])('stays JSON without the address: %s', (body) => {
    const channel = { ...presetOf('Sinch'), body };
    const { body: sent } = requestOf(channel, '', { ...MESSAGE, receiptUrl: '' });
    expect(JSON.parse(sent)).not.toHaveProperty('u');
  });
});
