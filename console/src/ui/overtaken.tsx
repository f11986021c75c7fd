import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { type Edited, failureText, isOvertaken } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { rebase } from './rebase.ts';

const words = strings.ui;

/** Somebody else changed the record that is being edited. */
export interface Overtaken {
  readonly state: 'refused' | 'reloaded' | 'clashing';
  readonly failure: string | null;
  /** Takes over what others did, and keeps what was typed. */
  readonly reload: () => void;
}

type Values = Record<string, unknown>;

/** What somebody has in hand: a form, or a draft. */
export interface Held<V extends Values> {
  read(): V;
  /** What it is now, and what of it is stored. */
  write(values: V, stored: V): void;
  /** Told what clashes, by the path of its field. */
  mark(clashes: Values): void;
}

interface Editing<V extends Values> {
  readonly initialValues: V;
  readonly edited?: Edited<V> | undefined;
}

/** Which version of a record somebody edits, and what to do once there is a newer one. */
export function useVersion<V extends Values>(held: Held<V>, { initialValues, edited }: Editing<V>) {
  const base = useRef<V>(initialValues);
  const etag = useRef<Promise<string | null> | null>(null);
  const [state, setState] = useState<Overtaken['state'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  /** The newest version under the form; answers what clashes with what was typed. */
  async function load(): Promise<Values> {
    if (!edited) return {};
    const reading = edited.read();
    etag.current = reading.then((current) => current.etag);
    const { values: theirs } = await reading;
    const { values, clashes } = rebase(base.current, held.read(), theirs);
    base.current = theirs;
    held.write(values, theirs);
    return clashes;
  }

  // Lists are older than the moment at which somebody begins to edit.
  const isEdit = edited !== undefined;
  const first = useRef(load);
  useEffect(() => {
    if (isEdit) first.current().catch(() => undefined);
  }, [isEdit]);

  const reload = async () => {
    setFailure(null);
    try {
      const clashes = await load();
      held.mark(clashes);
      setState(Object.keys(clashes).length > 0 ? 'clashing' : 'reloaded');
    } catch (error) {
      setFailure(failureText(error));
    }
  };

  const overtaken = state ? { state, failure, reload: () => void reload() } : null;
  return {
    overtaken,
    /** The tag of the version under the form; where it could not be read, it is read now. */
    async ifMatch(): Promise<string | undefined> {
      if (edited && etag.current === null) await load();
      try {
        return (await etag.current) ?? undefined;
      } catch (error) {
        etag.current = null;
        throw error;
      }
    },
    /** What was saved is a version of its own, which a form that stays open goes on from. */
    follow(saved: V) {
      setState(null);
      base.current = saved;
      if (isEdit) void load().catch(() => undefined);
    },
    isOvertakenBy(error: unknown): boolean {
      if (!isEdit || !isOvertaken(error)) return false;
      setState('refused');
      return true;
    },
  };
}

export function OvertakenNote({ overtaken }: { overtaken: Overtaken }) {
  const { state, failure, reload } = overtaken;
  const isRefused = state === 'refused';
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconGitMerge aria-hidden />}
      title={isRefused ? words.conflict : undefined}
    >
      <OvertakenText state={state} />
      {failure ? <Text size="sm">{failure}</Text> : null}
      {isRefused ? (
        <Button size="xs" mt="xs" onClick={reload}>
          {words.conflictAction}
        </Button>
      ) : null}
    </Alert>
  );
}

function OvertakenText({ state }: Pick<Overtaken, 'state'>) {
  if (state === 'refused') return <Text size="sm">{words.conflictText}</Text>;
  return (
    <Stack gap={0}>
      <Text size="sm">{words.reloaded}</Text>
      {state === 'clashing' ? <Text size="sm">{words.reloadedClash}</Text> : null}
    </Stack>
  );
}
