import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import { closed, DateTime, epochMs, Id, listOf, nullable, oneOf, paging } from './schema.ts';

export const AuditEntry = Type.Object(
  {
    id: Id,
    occurredDateTime: DateTime,
    actor: Type.Object(
      {
        kind: oneOf(['USER', 'API_KEY', 'SYSTEM']),
        id: nullable(Type.String()),
        name: Type.String(),
      },
      closed,
    ),
    operation: Type.String({ description: 'The operation id: `createApiKey`' }),
    resource: Type.String({ description: 'The kind of record that changed: `ApiKey`' }),
    resourceId: Type.String(),
    address: nullable(Type.String({ description: 'The address of the client' })),
    requestId: nullable(Type.String()),
    changes: Type.Array(
      Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }, closed),
      { description: 'The fields that changed; secrets are masked' },
    ),
  },
  closed,
);

export type AuditEntry = Static<typeof AuditEntry>;

/** Sign-ins are all about sessions and credentials that were refused; the rest are changes. */
const AUDIT_CATEGORIES = ['CHANGES', 'SIGN_INS'] as const;

export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

export const listAuditLog = operation({
  id: 'listAuditLog',
  method: 'GET',
  path: '/primary/v1/{organizationId}/audit-log',
  tag: 'Audit log',
  summary: 'List audit entries, newest first',
  access: permission('ReadAuditLog'),
  effect: 'read',
  query: Type.Object(
    {
      startTime: Type.Optional(epochMs),
      endTime: Type.Optional(epochMs),
      category: Type.Optional(oneOf(AUDIT_CATEGORIES)),
      actorId: Type.Optional(Type.String({ maxLength: 100 })),
      resource: Type.Optional(Type.String({ maxLength: 100 })),
      resourceId: Type.Optional(Type.String({ maxLength: 100 })),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of audit entries', body: listOf(AuditEntry) },
});
