import type { Codec, Operations } from '@fieldwatch/contract';
import { type Change, changeOf, type Handler, type PreparedHandler } from '../http/index.ts';
import { Failure, isoDateTime, type NewId, notFound, parseMoment } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { requirePassing } from './passing.ts';
import type { Sandbox } from './sandbox/index.ts';
import * as store from './store.ts';

export interface CodecsDeps {
  readonly storage: Storage;
  readonly newId: NewId;
  readonly sandbox: Sandbox;
}

export interface Codecs {
  readonly list: Handler<Operations['listCodecs']>;
  readonly retrieve: Handler<Operations['retrieveCodec']>;
  readonly create: PreparedHandler<Operations['createCodec']>;
  readonly update: PreparedHandler<Operations['updateCodec']>;
  readonly delete: Handler<Operations['deleteCodec']>;
  readonly try: Handler<Operations['tryCodec']>;
}

const MAX_CODECS_PER_ORGANIZATION = 200;

export function createCodecs(deps: CodecsDeps): Codecs {
  const find = async (organizationId: string, codecId: string) => {
    const row = await store.findCodec(deps.storage, organizationId, codecId);
    if (!row) throw notFound('codec');
    return row;
  };
  return {
    async list({ params: { organizationId }, query }) {
      const { search = '' } = query;
      const found = await store.listCodecs(deps.storage, organizationId, { search }, query);
      return { body: { count: found.count, items: found.rows.map(listedOf) } };
    },
    async retrieve({ params: { organizationId, codecId } }) {
      const row = await find(organizationId, codecId);
      return { body: recordOf(row), revision: row.revision };
    },
    create: create(deps),
    update: update(deps, find),
    async delete({ params: { organizationId, codecId } }, { tx, precondition }) {
      const row = await store.lockCodec(tx, organizationId, codecId);
      if (!row) throw notFound('codec');
      precondition.check(row.revision);
      await store.deleteCodec(tx, organizationId, codecId);
      return { body: undefined, changes: changed(organizationId, row) };
    },
    async try({ params: { organizationId, codecId }, body }, { now }) {
      const { script } = await find(organizationId, codecId);
      const { fPort, bytesHex, recvTime } = body;
      const at = recvTime === undefined ? now : parseMoment('recvTime', recvTime);
      const input = {
        bytes: [...Buffer.from(bytesHex, 'hex')],
        ...{ fPort, recvTime: isoDateTime(at), variables: {} },
      };
      return {
        body: await deps.sandbox.decode(trialsOf(organizationId), body.script ?? script, input),
      };
    },
  };
}

/** Trials of one organization run one after the other. */
const trialsOf = (organizationId: string) => ({ organizationId, key: 'trials' });

/** Its tests run before the transaction, which must not wait for a script. */
function create({ newId, sandbox }: CodecsDeps): Codecs['create'] {
  return {
    async prepare({ params: { organizationId }, body }) {
      await requirePassing(sandbox, trialsOf(organizationId), body);
      return async ({ tx, now }) => {
        if ((await store.countCodecs(tx, organizationId)) >= MAX_CODECS_PER_ORGANIZATION) {
          const max = MAX_CODECS_PER_ORGANIZATION;
          throw new Failure('CONFLICT', `An organization has at most ${max} codecs.`);
        }
        const id = newId();
        const row = await store.insertCodec(tx, organizationId, { ...body, id, now });
        return {
          body: recordOf(row),
          revision: row.revision,
          location: `/primary/v1/${organizationId}/codecs/${id}`,
          changes: changed(organizationId, undefined, row),
        };
      };
    },
  };
}

function update(
  { sandbox }: CodecsDeps,
  find: (organizationId: string, codecId: string) => Promise<store.CodecRow>,
): Codecs['update'] {
  return {
    async prepare({ params: { organizationId, codecId }, body }) {
      const tested = { ...(await find(organizationId, codecId)), ...body };
      await requirePassing(sandbox, trialsOf(organizationId), tested);
      return async ({ tx, now, precondition }) => {
        const row = await store.lockCodec(tx, organizationId, codecId);
        if (!row) throw notFound('codec');
        precondition.check(row.revision);
        const { name = row.name } = body;
        const { script, tests } = tested;
        const fields = { name, script, tests };
        const saved = await store.updateCodec(tx, organizationId, codecId, fields, now);
        return {
          body: recordOf(saved),
          revision: saved.revision,
          changes: changed(organizationId, row, saved),
        };
      };
    },
  };
}

function listedOf(row: store.ListedCodecRow) {
  const { id, name, testCount, createdAt, updatedAt } = row;
  const createdDateTime = isoDateTime(createdAt);
  return { id, name, testCount, createdDateTime, updatedDateTime: isoDateTime(updatedAt) };
}

function recordOf(row: store.CodecRow): Codec {
  const { id, name, script, tests } = row;
  return {
    ...{ id, name, script, tests },
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
  };
}

function changed(
  organizationId: string,
  before?: store.CodecRow,
  after?: store.CodecRow,
): Change[] {
  const change = {
    id: (after ?? before)?.id ?? '',
    before: before && recordOf(before),
    after: after && recordOf(after),
  };
  return [changeOf(organizationId, 'Codec', change)];
}
