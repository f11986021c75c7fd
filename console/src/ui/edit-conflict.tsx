import { Alert, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { IconGitMerge } from '../icons/index.ts';
import { type Edited, failureText, isVersionConflict } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { rebase } from './rebase.ts';

const words = strings.ui;

/** Another user changed the record that is being edited. */
export interface EditConflict {
  readonly state: 'refused' | 'reloaded' | 'clashing';
  readonly failure: string | null;
  /** Merges the stored version with the user's input. */
  readonly reload: () => void;
}

type Values = Record<string, unknown>;

/** The unsaved input of a form or a draft. */
export interface EditBuffer<V extends Values> {
  read(): V;
  /** Replaces the input, and names the stored version that it is based on. */
  write(values: V, stored: V): void;
  /** Marks clashing fields, by their path. */
  mark(clashes: Values): void;
}

interface Editing<V extends Values> {
  readonly initialValues: V;
  readonly edited?: Edited<V> | undefined;
}

/** Tracks the version of an edited record and merges a newer one. */
export function useVersion<V extends Values>(
  buffer: EditBuffer<V>,
  { initialValues, edited }: Editing<V>,
) {
  const base = useRef<V>(initialValues);
  const etag = useRef<Promise<string | null> | null>(null);
  const [state, setState] = useState<EditConflict['state'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  /** Loads the stored version as the base of the input and returns the clashes. */
  async function load(): Promise<Values> {
    if (!edited) return {};
    const reading = edited.read();
    etag.current = reading.then((current) => current.etag);
    const { values: theirs } = await reading;
    const { values, clashes } = rebase(base.current, buffer.read(), theirs);
    base.current = theirs;
    buffer.write(values, theirs);
    return clashes;
  }

  // The record in a list may be stale when the user starts to edit.
  const isEdit = edited !== undefined;
  const first = useRef(load);
  useEffect(() => {
    if (isEdit) first.current().catch(() => undefined);
  }, [isEdit]);

  const reload = async () => {
    setFailure(null);
    try {
      const clashes = await load();
      buffer.mark(clashes);
      setState(Object.keys(clashes).length > 0 ? 'clashing' : 'reloaded');
    } catch (error) {
      setFailure(failureText(error));
    }
  };

  const conflict = state ? { state, failure, reload: () => void reload() } : null;
  return {
    conflict,
    /** The entity tag of the base version; an earlier failed read is retried. */
    async ifMatch(): Promise<string | undefined> {
      if (edited && etag.current === null) await load();
      try {
        return (await etag.current) ?? undefined;
      } catch (error) {
        etag.current = null;
        throw error;
      }
    },
    /** Makes the saved version the base of a form that stays open. */
    follow(saved: V) {
      setState(null);
      base.current = saved;
      if (isEdit) void load().catch(() => undefined);
    },
    isConflict(error: unknown): boolean {
      if (!isEdit || !isVersionConflict(error)) return false;
      setState('refused');
      return true;
    },
  };
}

export function EditConflictNote({ conflict }: { conflict: EditConflict }) {
  const { state, failure, reload } = conflict;
  const isRefused = state === 'refused';
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconGitMerge aria-hidden />}
      title={isRefused ? words.conflict : undefined}
    >
      <EditConflictText state={state} />
      {failure ? <Text size="sm">{failure}</Text> : null}
      {isRefused ? (
        <Button size="xs" mt="xs" onClick={reload}>
          {words.conflictAction}
        </Button>
      ) : null}
    </Alert>
  );
}

function EditConflictText({ state }: Pick<EditConflict, 'state'>) {
  if (state === 'refused') return <Text size="sm">{words.conflictText}</Text>;
  return (
    <Stack gap={0}>
      <Text size="sm">{words.reloaded}</Text>
      {state === 'clashing' ? <Text size="sm">{words.reloadedClash}</Text> : null}
    </Stack>
  );
}
