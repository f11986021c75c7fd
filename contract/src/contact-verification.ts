import Type from 'typebox';
import { ContactMethod } from './contact-methods.ts';
import { operation, userOnly } from './operation.ts';
import { closed, Id } from './schema.ts';

const onePath = '/primary/v1/{organizationId}/me/contact-methods/{contactMethodId}';
const shared = { tag: 'Paging', access: userOnly('ReadAlarmConfigurations') } as const;
const tagged = { status: 200, body: ContactMethod, tagged: true } as const;

export const sendContactCode = operation({
  ...shared,
  id: 'sendContactCode',
  method: 'POST',
  path: `${onePath}/send-code`,
  summary: 'Send a code of 6 digits to a contact method, valid for 10 minutes',
  effect: 'write',
  reply: { ...tagged, description: 'The contact method, with the time when the code expires' },
  failures: ['CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const verifyContactMethod = operation({
  ...shared,
  id: 'verifyContactMethod',
  method: 'POST',
  path: `${onePath}/verify`,
  summary: 'Verify a contact method by the code that was sent to it; 5 wrong ones end the code',
  effect: 'write',
  body: Type.Object(
    {
      code: Type.String({
        pattern: '^\\d{6}$',
        'x-messages': { pattern: 'must be the 6 digits of the message' },
      }),
    },
    closed,
  ),
  reply: { ...tagged, description: 'The contact method, which is verified' },
  failures: ['CONFLICT'],
});

export const testContactMethod = operation({
  ...shared,
  id: 'testContactMethod',
  method: 'POST',
  path: `${onePath}/test`,
  summary: 'Send a test message to a verified contact method',
  effect: 'write',
  reply: {
    status: 200,
    description: 'The message is due now',
    body: Type.Object({ deliveryId: Id }, closed),
  },
  failures: ['CONFLICT', 'TOO_MANY_REQUESTS'],
});
