import { BROKER_URL_RULE, type FieldError } from '@fieldwatch/contract';
import { brokerAddressOf } from '../../runtime/index.ts';

/** What the schema cannot check: whether an address can be parsed as a URL. */
export function urlErrors(url: string | undefined): FieldError[] {
  if (url === undefined || brokerAddressOf(url)) return [];
  return [{ path: 'url', message: BROKER_URL_RULE }];
}
