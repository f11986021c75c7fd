import { type FieldError, WEBHOOK_URL_RULE } from '@fieldwatch/contract';

/** What the schema cannot check of an address: whether it can be read as one at all. */
export function urlErrors(url: string | undefined): FieldError[] {
  if (url === undefined || isCallable(url)) return [];
  return [{ path: 'url', message: WEBHOOK_URL_RULE }];
}

function isCallable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
