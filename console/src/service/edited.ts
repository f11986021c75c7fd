import { FieldwatchError } from '@fieldwatch/client';
import type { OperationId } from '@fieldwatch/contract';
import { type Input, type Reply, useRequest } from './calls.ts';

/** The stored version of a record, with the entity tag that a change of it names. */
export interface Current<V> {
  readonly values: V;
  readonly etag: string | null;
}

/** A record that a form edits, and that other users may edit at the same time. */
export interface Edited<V> {
  read(): Promise<Current<V>>;
}

/** Reads the record that a form edits; undefined where the form creates a record. */
export function useEdited<Id extends OperationId, V>(
  id: Id,
  input: Input<Id> | null,
  valuesOf: (record: Reply<Id>) => V,
): Edited<V> | undefined {
  const request = useRequest();
  if (input === null) return undefined;
  return {
    async read() {
      const { body, etag } = await request(id, input);
      return { values: valuesOf(body), etag };
    },
  };
}

/** Whether the server refused a change because the record has a newer version. */
export function isVersionConflict(error: unknown): boolean {
  return error instanceof FieldwatchError && error.code === 'PRECONDITION_FAILED';
}
