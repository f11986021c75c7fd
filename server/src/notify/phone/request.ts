import type { PhoneChannel, PhonePlaceholder } from '@fieldwatch/contract';
import { renderTemplate } from '../template/index.ts';
import { announcement, escapeXml } from './twiml.ts';

/** What a message consists of, whatever service sends it. */
export interface PhoneMessage {
  readonly id: string;
  /** An international number with its plus sign. */
  readonly to: string;
  readonly text: string;
  readonly link: string;
  /** Where its service reports what became of it; empty where it cannot. */
  readonly receiptUrl: string;
  /** Names the attempt in a report at the address of the channel. */
  readonly receiptId: string;
  /** Where its service reports a key; null where none is waited for. */
  readonly keysUrl: string | null;
}

export type ChannelSettings = Pick<
  PhoneChannel,
  | 'kind'
  | 'method'
  | 'url'
  | 'headers'
  | 'contentType'
  | 'body'
  | 'from'
  | 'successText'
  | 'replies'
  | 'receipts'
  | 'signature'
>;

const FORM = 'application/x-www-form-urlencoded';
/** The field of a query or a form whose value is the address for receipts. */
const RECEIPT_FIELD = /(?:^|&|(?<=\?))[^&?]*\{\{\s*receiptUrl\s*\}\}[^&]*/g;

/** The member of a JSON object whose value is that address, with one of the commas around it. */
const RECEIPT_MEMBER =
  /,\s*"[^"]*"\s*:\s*"\{\{\s*receiptUrl\s*\}\}"|"[^"]*"\s*:\s*"\{\{\s*receiptUrl\s*\}\}"\s*,?/g;

const RECEIPT_FIELDS: Readonly<Partial<Record<ChannelSettings['contentType'], RegExp>>> = {
  [FORM]: RECEIPT_FIELD,
  'application/json': RECEIPT_MEMBER,
};

export interface PhoneRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request by which the service of a channel sends a message. */
export function requestOf(
  channel: ChannelSettings,
  credential: string,
  message: PhoneMessage,
): PhoneRequest {
  const values = valuesOf(channel, credential, message);
  const { method, contentType } = channel;
  // A service refuses an address that is empty.
  const known = (template: string, field: RegExp) =>
    message.receiptUrl === '' ? template.replaceAll(field, '') : template;
  const field = RECEIPT_FIELDS[contentType];
  const body = field ? known(channel.body ?? '', field) : (channel.body ?? '');
  const headers = channel.headers.map(({ name, value }) => [
    name.toLowerCase(),
    renderTemplate(value, 'text/plain', values),
  ]);
  return {
    method,
    url: renderTemplate(known(channel.url, RECEIPT_FIELD), FORM, values),
    headers: {
      ...(method === 'POST' ? { 'content-type': contentType } : {}),
      ...Object.fromEntries(headers),
    },
    body: method === 'POST' ? renderTemplate(body, contentType, values) : '',
  };
}

/** Whether the service accepted the message, by its answer. */
export function isAccepted(
  { successText }: Pick<ChannelSettings, 'successText'>,
  { status, text }: { readonly status: number; readonly text: string },
): boolean {
  if (status < 200 || status >= 300) return false;
  return successText === null || withoutSpace(text).includes(withoutSpace(successText));
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

function valuesOf(
  { from }: ChannelSettings,
  credential: string,
  { id, to, text, link, receiptUrl, receiptId, keysUrl }: PhoneMessage,
): Readonly<Record<PhonePlaceholder, string>> {
  const colon = credential.indexOf(':');
  return {
    ...{ id, to, text, link, receiptUrl, receiptId, credential },
    digits: to.replace('+', ''),
    say: escapeXml(text),
    twiml: announcement(text, keysUrl),
    from: from ?? '',
    user: colon < 0 ? credential : credential.slice(0, colon),
    password: passwordOf(credential),
    basic: Buffer.from(credential).toString('base64'),
  };
}

/** What stands after the first colon of a credential. */
export function passwordOf(credential: string): string {
  const colon = credential.indexOf(':');
  return colon < 0 ? '' : credential.slice(colon + 1);
}
