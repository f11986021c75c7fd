import { type Destination, toAddress, toPhone, toPush, toWebhook } from '../../notify/index.ts';
import type { ContactStep } from './plan.ts';

/** Where the message of a step goes. */
export function destinationOf(
  organizationId: string,
  { kind, address }: Pick<ContactStep, 'kind' | 'address'>,
): Destination {
  if (kind === 'EMAIL') return toAddress(organizationId, address);
  if (kind === 'CHAT') return toWebhook(organizationId, address);
  if (kind === 'WEB_PUSH') return toPush(organizationId, address);
  return toPhone(organizationId, kind, address);
}
