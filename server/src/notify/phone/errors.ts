import {
  type FieldError,
  PHONE_HEADER_PLACEHOLDERS,
  PHONE_PLACEHOLDERS,
  PHONE_URL_RULE,
} from '@fieldwatch/contract';
import { templateErrors } from '../template/index.ts';
import { type ChannelSettings, requestOf } from './request.ts';

const FORM = 'application/x-www-form-urlencoded';
const SAMPLE = {
  ...{ id: 'id', to: '+4915112345678', text: 'text', link: 'https://example.com' },
  ...{ receiptUrl: 'https://example.com', receiptId: 'id', keysUrl: null },
};
/** Headers that belong to the connection. */
const OWN_HEADERS: readonly string[] = [
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
  'upgrade',
];

/** What the schema cannot check of a channel: whether it makes a request that can be sent. */
export function channelErrors(
  channel: ChannelSettings & { readonly hasCredential: boolean },
): FieldError[] {
  const { method, url, headers, contentType, body } = channel;
  const errors = [
    ...reportErrors(channel),
    ...templateErrors(url, { path: 'url', contentType: FORM, placeholders: PHONE_PLACEHOLDERS }),
    ...headers.flatMap(({ name, value }, index) => {
      const path = `headers[${index}]`;
      if (OWN_HEADERS.includes(name.toLowerCase())) {
        return [{ path: `${path}.name`, message: 'is set by the connection' }];
      }
      const placeholders = PHONE_HEADER_PLACEHOLDERS;
      return templateErrors(value, {
        ...{ path: `${path}.value`, contentType: 'text/plain', placeholders },
      });
    }),
  ];
  if (method === 'POST' && body === null) {
    errors.push({ path: 'body', message: 'is required with the method POST' });
  }
  if (method === 'GET' && body !== null) {
    errors.push({ path: 'body', message: 'is not sent with the method GET' });
  }
  if (body !== null) {
    errors.push(
      ...templateErrors(body, { path: 'body', contentType, placeholders: PHONE_PLACEHOLDERS }),
    );
  }
  if (errors.length > 0) return errors;
  return isCallable(requestOf(channel, 'user:password', SAMPLE).url)
    ? []
    : [{ path: 'url', message: PHONE_URL_RULE }];
}

function isCallable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

function reportErrors({
  kind,
  replies,
  signature,
  hasCredential,
}: ChannelSettings & { readonly hasCredential: boolean }): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== 'SMS' && replies !== null) {
    errors.push({ path: 'replies', message: 'are for channels of the kind SMS' });
  }
  if (signature !== 'NONE' && !hasCredential) {
    errors.push({ path: 'credential', message: 'is required to verify the signature' });
  }
  return errors;
}
