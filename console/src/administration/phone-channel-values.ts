import type { PhoneChannel } from '../service/index.ts';

export type Settings = Pick<
  PhoneChannel,
  | 'kind'
  | 'method'
  | 'url'
  | 'headers'
  | 'contentType'
  | 'body'
  | 'successText'
  | 'replies'
  | 'receipts'
  | 'signature'
>;

export const NEW_SETTINGS: Settings = {
  kind: 'SMS',
  method: 'POST',
  url: 'https://',
  headers: [],
  contentType: 'application/x-www-form-urlencoded',
  body: 'to={{to}}&text={{text}}',
  successText: null,
  replies: null,
  receipts: null,
  signature: 'NONE',
};

export function settingsOf(settings: Settings) {
  const { kind, method, url, contentType, replies, receipts, signature } = settings;
  return {
    ...{ kind, method, url, contentType, signature },
    body: settings.body ?? '',
    headers: settings.headers.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    successText: settings.successText ?? '',
    replies: { fromField: replies?.fromField ?? '', textField: replies?.textField ?? '' },
    receipts: {
      idField: receipts?.idField ?? '',
      statusField: receipts?.statusField ?? '',
      delivered: (receipts?.delivered ?? []).join(', '),
      failed: (receipts?.failed ?? []).join(', '),
    },
  };
}

export function valuesOf(channel: PhoneChannel | null) {
  return {
    name: channel?.name ?? '',
    isActive: channel?.isActive ?? true,
    ...settingsOf(channel ?? NEW_SETTINGS),
    from: channel?.from ?? '',
    credential: '',
  };
}

export type Values = ReturnType<typeof valuesOf>;

const orNull = (text: string) => (text === '' ? null : text);
const listed = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Empty fields are none; an empty credential keeps the stored one. */
export function bodyOf({ headers, body, from, successText, credential, ...values }: Values) {
  const { replies, receipts, ...fields } = values;
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const hasReplies = fields.kind === 'SMS' && replies.fromField + replies.textField !== '';
  const { idField, statusField, delivered, failed } = receipts;
  const byAddress = { statusField, delivered: listed(delivered), failed: listed(failed) };
  return {
    ...fields,
    headers: lines.map((line) => {
      const [name = '', ...rest] = line.split(':');
      return { name: name.trim(), value: rest.join(':').trim() };
    }),
    body: fields.method === 'GET' ? null : orNull(body),
    from: orNull(from),
    successText: orNull(successText),
    replies: hasReplies ? replies : null,
    receipts: statusField === '' ? null : { ...(idField === '' ? {} : { idField }), ...byAddress },
    ...(credential === '' ? {} : { credential }),
  };
}
