import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Operations } from '@fieldwatch/contract';
import type { Handler } from '../../http/index.ts';
import {
  type Destination,
  deliverText,
  listActiveChannels,
  toAddress,
  toPhone,
  toPush,
} from '../../notify/index.ts';
import {
  type Clock,
  createRateLimit,
  Failure,
  type Keyring,
  type NewId,
} from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { changed, lockOne, methodRecord } from './contact-methods.ts';
import * as store from './store.ts';

export interface VerificationDeps {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  /** Whether a mail server is configured. */
  readonly hasMail: boolean;
}

/** Proves that messages of a contact method reach its owner. */
export interface Verification {
  readonly sendCode: Handler<Operations['sendContactCode']>;
  readonly verify: Handler<Operations['verifyContactMethod']>;
  readonly test: Handler<Operations['testContactMethod']>;
}

const CODE_MS = 10 * 60_000;
const MAX_WRONG_CODES = 5;
/** Codes and tests, so that nobody is flooded with messages that others ask for. */
const MESSAGES = { limit: 10, windowMs: 3_600_000, maxKeys: 10_000 };

export function createVerification(deps: VerificationDeps): Verification {
  const key = deps.keyring.derive('contact-code');
  const messages = createRateLimit(deps.clock, MESSAGES);
  const digestOf = (id: string, code: string) =>
    createHmac('sha256', key).update(`${id} ${code}`).digest();

  function count(userId: string): void {
    const { allowed, resetSeconds } = messages.hit(userId);
    if (allowed) return;
    const detail = `At most ${MESSAGES.limit} codes and tests are sent to a user within an hour.`;
    throw new Failure('TOO_MANY_REQUESTS', detail, { retryAfterSeconds: resetSeconds });
  }

  return {
    async sendCode({ params: { organizationId, contactMethodId: id } }, { tx, now, caller }) {
      const member = { organizationId, userId: caller.id };
      const { row } = await lockOne(tx, member, id);
      if (row.verifiedAt !== null) {
        throw new Failure('CONFLICT', 'The contact method is verified already.');
      }
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const lines = [
        `Your code is ${code}. It is valid for 10 minutes.`,
        'If you did not ask for it, ignore this message: without the code nobody can use your address.',
      ];
      const text = { subject: `${code} is your code for Fieldwatch`, lines, path: null };
      await requireChannel(tx, deps, organizationId, row);
      count(caller.id);
      await deliverText(tx, deps.newId, destinationOf(organizationId, row), text, now);
      const expiresAt = now + CODE_MS;
      await store.saveCode(tx, organizationId, id, { digest: digestOf(id, code), expiresAt });
      const { row: saved } = await lockOne(tx, member, id);
      return { body: methodRecord(saved), revision: saved.revision, changes: [] };
    },
    async verify({ params: { organizationId, contactMethodId: id }, body }, { tx, now, caller }) {
      const member = { organizationId, userId: caller.id };
      const { row } = await lockOne(tx, member, id);
      await requireCode(tx, member, { row, digest: digestOf(id, body.code), now });
      await store.markVerified(tx, organizationId, id, now);
      const { row: saved } = await lockOne(tx, member, id);
      const changes = [changed(organizationId, row, saved)];
      return { body: methodRecord(saved), revision: saved.revision, changes };
    },
    async test({ params: { organizationId, contactMethodId: id } }, { tx, now, caller }) {
      const { row } = await lockOne(tx, { organizationId, userId: caller.id }, id);
      if (row.verifiedAt === null) {
        throw new Failure('CONFLICT', 'The contact method is not verified: verify it first.');
      }
      const lines = ['You asked for this test. Alarms reach you in the same way.'];
      const text = { subject: 'Test message of Fieldwatch', lines, path: '/account' };
      await requireChannel(tx, deps, organizationId, row);
      count(caller.id);
      const destination = destinationOf(organizationId, row);
      const deliveryId = await deliverText(tx, deps.newId, destination, text, now);
      return { body: { deliveryId }, changes: [] };
    },
  };
}

/** A wrong code counts, whatever becomes of the request. */
async function requireCode(
  tx: Transaction,
  { organizationId }: store.MemberName,
  { row, digest, now }: { row: store.MethodRow; digest: Buffer; now: number },
): Promise<void> {
  const sent = await store.findCode(tx, organizationId, row.id);
  if (!sent || sent.expiresAt <= now) {
    throw new Failure('CONFLICT', 'There is no valid code: have a new one sent.');
  }
  if (timingSafeEqual(sent.digest, digest)) return;
  const left = MAX_WRONG_CODES - sent.wrongCodes - 1;
  await store.countWrongCode(tx, organizationId, row.id, left <= 0);
  const rest = left <= 0 ? 'have a new one sent' : `${left} more attempts are left`;
  const message = `is not the code that was sent: ${rest}`;
  const errors = [{ path: 'code', message }];
  throw new Failure('INVALID_REQUEST', `code ${message}`, { errors, keepsWrites: true });
}

async function requireChannel(
  tx: Transaction,
  { hasMail }: VerificationDeps,
  organizationId: string,
  { kind }: store.MethodRow,
): Promise<void> {
  if (kind === 'SMS' || kind === 'VOICE') {
    const channels = await listActiveChannels(tx, organizationId, kind);
    if (channels.length > 0) return;
    const detail = `The organization has no active phone channel for ${kind}, so nothing can be sent to a phone: have an administrator add one, or use an email address or a browser.`;
    throw new Failure('CONFLICT', detail);
  }
  if (kind === 'CHAT') {
    throw new Failure('CONFLICT', 'Messages to a chat are tested at its webhook.');
  }
  if (kind === 'EMAIL' && !hasMail) {
    const detail = 'No mail server is configured (FIELDWATCH_SMTP_URL), so no mail can be sent.';
    throw new Failure('CONFLICT', detail);
  }
}

function destinationOf(organizationId: string, { kind, address }: store.MethodRow): Destination {
  if (kind === 'SMS' || kind === 'VOICE') return toPhone(organizationId, kind, address);
  return kind === 'WEB_PUSH' ? toPush(organizationId, address) : toAddress(organizationId, address);
}
