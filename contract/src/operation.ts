import type { Static, TSchema } from 'typebox';

/** JSON with an array for each field of the items, which is shorter and quicker to read and write. */
export const COLUMNS_MEDIA_TYPE = 'application/vnd.fieldwatch.columns+json';

import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { FieldError } from './problem.ts';

/** Who may call an operation. There is no default: an operation that does not say does not compile. */
export type Access =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'share' }
  | { readonly kind: 'permission'; readonly permission: Permission }
  | { readonly kind: 'user'; readonly permission: Permission | null };

export const anyone = { kind: 'anyone' } as const satisfies Access;
export const anyCredential = { kind: 'credential' } as const satisfies Access;
/** The secret of a share link, which no other operation accepts. */
export const shareLink = { kind: 'share' } as const satisfies Access;
export const permission = <const P extends Permission>(name: P) =>
  ({ kind: 'permission', permission: name }) as const satisfies Access;
export const userOnly = <const P extends Permission | null = null>(name: P = null as P) =>
  ({ kind: 'user', permission: name }) as const satisfies Access;

export type Tag =
  | 'Devices'
  | 'Variables'
  | 'Readings'
  | 'Alarms'
  | 'Assets'
  | 'Dashboards'
  | 'Locations'
  | 'Alarm groups'
  | 'Paging'
  | 'Maintenance'
  | 'Webhooks'
  | 'Web push'
  | 'Home Assistant'
  | 'LoRaWAN'
  | 'Phone channels'
  | 'Sign-in'
  | 'Organization'
  | 'Users'
  | 'API keys'
  | 'Audit log'
  | 'Service';

/** One endpoint, said once: route, validation, permission, OpenAPI and client all come from this. */
export interface Operation {
  /** Method name in the client and `operationId` in OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Parameters stand in braces: `/primary/v1/{organizationId}/users/{userId}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly access: Access;
  /**
   * A write runs in one transaction with its audit entry; a read changes nothing; readings are
   * taken in by the ingest's own commits.
   */
  readonly effect: 'read' | 'write' | 'ingest';
  /** A Device may call it too, with its own credentials. */
  readonly isForDevices?: boolean;
  /** Where there is no `Authorization` header, the query may hold `apiKeyId` and `apiKeySecret`. */
  readonly isKeyInQuery?: boolean;
  /** A page of this server may keep the refresh token in a cookie, which the operation sets or reads. */
  readonly usesCookie?: boolean;
  /** Named by the interface itself, and so marked with its workflow stage. */
  readonly stage?: 'Integrate';
  /** Path parameters that are not UUIDs, with their form. */
  readonly params?: Readonly<Record<string, TSchema>>;
  readonly query?: TSchema & { readonly properties: Readonly<Record<string, TSchema>> };
  readonly body?: TSchema;
  /** What the OpenAPI document says of a body that is checked by more than its schema. */
  readonly documentedBody?: TSchema;
  /** Absent for JSON. A body of another type is decoded by the server before it is checked. */
  readonly bodyMediaType?: string;
  /** True when an absent body stands for `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyLimitBytes?: number;
  /** What a browser or a mail program sends from a form is taken too, and not looked into. */
  readonly takesForms?: boolean;
  /** Rules that no schema can express; runs beside the schema, so what it is given may be anything. */
  readonly check?: (sent: Sent) => readonly FieldError[];
  readonly reply: Reply;
  /** Failures beyond those that follow from the operation's shape. */
  readonly failures?: readonly ErrorCode[];
}

export interface Sent {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface Reply {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** Absent for 204. */
  readonly body?: TSchema;
  /** Absent for JSON. */
  readonly mediaType?: string;
  /** How the body is compressed, whatever the client accepts. */
  readonly contentEncoding?: string;
  /** An answer without end: server-sent events by their names, each with what its data is. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Also as CSV, to whoever asks for `text/csv` with `Accept`. */
  readonly csv?: boolean;
  /** Also as a Parquet file, to whoever asks for `application/vnd.apache.parquet`. */
  readonly parquet?: boolean;
  /** Also as JSON by column, to whoever asks for `COLUMNS_MEDIA_TYPE`: what that body is. */
  readonly columns?: TSchema;
  /** The body may hold secrets or tokens: no cache may store it. */
  readonly holdsSecrets?: boolean;
  /** The body is one record with an `ETag`; the operation honours `If-Match` or `If-None-Match`. */
  readonly tagged?: boolean;
}

/** Keeps the literal types of an operation, so that handlers and the client can be derived from it. */
export function operation<const O extends Operation>(value: O): O {
  return value;
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type Params<O extends Operation> = { readonly [N in ParamNames<O['path']>]: string };

export type Query<O extends Operation> = O extends { readonly query: infer S extends TSchema }
  ? Static<S>
  : Record<never, never>;

export type Body<O extends Operation> = O extends { readonly body: infer S extends TSchema }
  ? Static<S>
  : undefined;

/** The body by column, of an operation that offers it. */
export type ColumnsBody<O extends Operation> = O['reply'] extends {
  readonly columns: infer S extends TSchema;
}
  ? Static<S>
  : never;

type Defaulted<P> = {
  [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never;
}[keyof P];

/** What a caller writes: as the parsed value, but fields with a default may be left out. */
type Written<S extends TSchema> = S extends { readonly properties: infer P }
  ? Omit<Static<S>, Defaulted<P> & keyof Static<S>> &
      Partial<Pick<Static<S>, Defaulted<P> & keyof Static<S>>>
  : Static<S>;

export type WrittenQuery<O extends Operation> = O extends {
  readonly query: infer S extends TSchema;
}
  ? Written<S>
  : Record<never, never>;

export type WrittenBody<O extends Operation> = O extends { readonly body: infer S extends TSchema }
  ? Written<S>
  : undefined;

export type ReplyBody<O extends Operation> = O['reply'] extends {
  readonly body: infer S extends TSchema;
}
  ? Static<S>
  : undefined;

/** One of the events that an operation sends. */
export type EventOf<O extends Operation> = O['reply'] extends {
  readonly events: infer E extends Readonly<Record<string, TSchema>>;
}
  ? {
      [N in keyof E & string]: {
        readonly type: N;
        /** Where to go on after it, for events that can be asked for again. */
        readonly id: string | null;
        readonly data: Static<E[N]>;
      };
    }[keyof E & string]
  : never;

export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}
