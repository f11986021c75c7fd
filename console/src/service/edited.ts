import { FieldwatchError } from '@fieldwatch/client';
import type { OperationId } from '@fieldwatch/contract';
import { type Answer, type Given, useAsk } from './calls.ts';

/** A record as it is at this moment, with the tag that a change of it names. */
export interface Current<V> {
  readonly values: V;
  readonly etag: string | null;
}

/** A record that somebody edits, and others may edit as well. */
export interface Edited<V> {
  read(): Promise<Current<V>>;
}

/** Reads the record that a form is about; null where it makes a new one. */
export function useEdited<Id extends OperationId, V>(
  id: Id,
  given: Given<Id> | null,
  valuesOf: (record: Answer<Id>) => V,
): Edited<V> | undefined {
  const ask = useAsk();
  if (given === null) return undefined;
  return {
    async read() {
      const { body, etag } = await ask(id, given);
      return { values: valuesOf(body), etag };
    },
  };
}

/** Whether a change was refused since somebody else came first. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof FieldwatchError && error.code === 'PRECONDITION_FAILED';
}
