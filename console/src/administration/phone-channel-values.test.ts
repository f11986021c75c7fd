import { PHONE_PRESETS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { bodyOf, settingsOf, valuesOf } from './phone-channel-values.ts';

describe('the values of a phone channel in its form', () => {
  it.each(PHONE_PRESETS)('of the preset $name are sent as they are', ({ name, ...preset }) => {
    const { credential: _, ...settings } = preset;
    const values = { ...valuesOf(null), ...settingsOf(settings), name };
    expect(bodyOf(values)).toMatchObject({ name, ...settings });
  });

  it('of a new one have no replies and no receipts, and calls never have replies', () => {
    const values = valuesOf(null);
    expect(bodyOf(values)).toMatchObject({ replies: null, receipts: null, signature: 'NONE' });
    const replies = { fromField: 'From', textField: '' };
    expect(bodyOf({ ...values, replies })).toMatchObject({ replies });
    expect(bodyOf({ ...values, replies, kind: 'VOICE' })).toMatchObject({ replies: null });
  });
});
