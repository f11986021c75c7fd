import Type, { type TSchema } from 'typebox';
import type { Access, Tag } from './operation.ts';
import { closed, listOf, paging, search } from './schema.ts';

interface RecordKind<P, I, S, L, T, R, M> {
  readonly tag: T;
  /** Of the list, and the name of the parameter that names one record below it. */
  readonly path: P;
  readonly idName: I;
  readonly record: S;
  /** A record in lists, where that is another one. */
  readonly listed: L;
  /** How replies name one record and several. */
  readonly names: readonly [one: string, many: string];
  readonly reading: R;
  readonly managing: M;
}

/**
 * What the operations of every kind of record have in common; each adds its id, its summary and its
 * body, and overrides what differs.
 */
export function recordOperations<
  const P extends string,
  const I extends string,
  S extends TSchema,
  L extends TSchema,
  const T extends Tag,
  const R extends Access,
  const M extends Access,
>({
  tag,
  path,
  idName,
  record,
  listed,
  names: [one, many],
  reading,
  managing,
}: RecordKind<P, I, S, L, T, R, M>) {
  const onePath = `${path}/{${idName}}` as const;
  const read = { tag, access: reading, method: 'GET', effect: 'read' } as const;
  const write = { tag, access: managing, effect: 'write' } as const;
  const tagged = { status: 200, description: `The ${one}`, body: record, tagged: true } as const;
  return {
    path,
    onePath,
    /** The reply with one record. */
    tagged,
    list: {
      ...read,
      path,
      query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
      reply: { status: 200, description: `A page of ${many}`, body: listOf(listed) },
    },
    retrieve: { ...read, path: onePath, reply: tagged },
    create: { ...write, method: 'POST', path, reply: { ...tagged, status: 201 } },
    update: { ...write, method: 'PATCH', path: onePath, reply: tagged },
    remove: {
      ...write,
      method: 'DELETE',
      path: onePath,
      reply: { status: 204, description: `The ${one} is deleted`, tagged: true },
    },
  } as const;
}
