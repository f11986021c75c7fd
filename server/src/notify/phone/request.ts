import type { PhoneChannel, PhonePlaceholder } from '@fieldwatch/contract';
import { renderTemplate } from '../template/index.ts';

/** What a message consists of, whatever service sends it. */
export interface PhoneMessage {
  readonly id: string;
  /** An international number with its plus sign. */
  readonly to: string;
  readonly text: string;
  readonly link: string;
}

export type ChannelSettings = Pick<
  PhoneChannel,
  'method' | 'url' | 'headers' | 'contentType' | 'body' | 'from' | 'successText'
>;

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
  const headers = channel.headers.map(({ name, value }) => [
    name.toLowerCase(),
    renderTemplate(value, 'text/plain', values),
  ]);
  return {
    method,
    url: renderTemplate(channel.url, 'application/x-www-form-urlencoded', values),
    headers: {
      ...(method === 'POST' ? { 'content-type': contentType } : {}),
      ...Object.fromEntries(headers),
    },
    body: method === 'POST' ? renderTemplate(channel.body ?? '', contentType, values) : '',
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
  { id, to, text, link }: PhoneMessage,
): Readonly<Record<PhonePlaceholder, string>> {
  const colon = credential.indexOf(':');
  return {
    ...{ id, to, text, link, credential },
    digits: to.replace('+', ''),
    say: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    from: from ?? '',
    user: colon < 0 ? credential : credential.slice(0, colon),
    password: colon < 0 ? '' : credential.slice(colon + 1),
    basic: Buffer.from(credential).toString('base64'),
  };
}
