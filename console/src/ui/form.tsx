import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Edited, failureText, fieldErrorsOf } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Held, type Overtaken, OvertakenNote, useVersion } from './overtaken.tsx';
import { tell } from './told.tsx';

export interface ServerForm<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>;
  readonly failure: string | null;
  readonly isBusy: boolean;
  /** Set once somebody else was found to have changed the record. */
  readonly overtaken: Overtaken | null;
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  readonly isNew: boolean;
  readonly onClose: (() => void) | undefined;
}

interface Options<V extends Record<string, unknown>> {
  readonly initialValues: V;
  /** The record that is edited; left out where one is made. */
  readonly edited?: Edited<V> | undefined;
  readonly send: (values: V, ifMatch: string | undefined) => Promise<unknown>;
  /** Said in a corner once it is done; null where the page itself shows it. */
  readonly told?: string | null;
  readonly onDone?: (() => void) | undefined;
  /** Closes the form, done or cancelled; without it the form stays. */
  readonly onClose?: (() => void) | undefined;
}

/** A form that shows what the server refuses at the fields it refuses. */
export function useServerForm<V extends Record<string, unknown>>(
  options: Options<V>,
): ServerForm<V> {
  const form = useForm<V>({ mode: 'controlled', initialValues: options.initialValues });
  const held: Held<V> = {
    read: () => form.getValues(),
    write: (values) => form.setValues(values),
    mark: (clashes) => form.setErrors(theirsIn(clashes)),
  };
  const version = useVersion(held, options);
  const { told = strings.ui.saved, onDone, onClose } = options;
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function send(values: V): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await options.send(values, await version.ifMatch());
      if (told !== null) tell(told);
      onDone?.();
      onClose?.();
      if (!onDone && !onClose) version.follow(values);
    } catch (error) {
      if (version.isOvertakenBy(error)) return;
      const fields = fieldErrorsOf(error);
      form.setErrors(fields);
      const isAtFields = Object.keys(fields).some((path) => hasField(values, path));
      setFailure(isAtFields ? null : failureText(error));
      focusFirstError();
    } finally {
      setIsBusy(false);
    }
  }

  const { overtaken } = version;
  return {
    form,
    failure,
    isBusy,
    overtaken,
    onSubmit: form.onSubmit((values) => void send(values)),
    isNew: options.edited === undefined,
    onClose,
  };
}

/** What others made of fields, as words at these fields. */
function theirsIn(clashes: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(clashes).map(([path, value]) => {
      const isPlain = typeof value === 'string' || typeof value === 'number';
      return [path, strings.ui.theirs(isPlain ? String(value) : JSON.stringify(value))];
    }),
  );
}

function hasField(values: Record<string, unknown>, path: string): boolean {
  return Object.hasOwn(values, path.split('.')[0] ?? '');
}

/** So that keyboard and screen reader are where there is something to mend. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  });
}

interface FormBodyProps {
  readonly serverForm: Omit<ServerForm<Record<string, unknown>>, 'form'>;
  /** What its button says, where that is neither to create nor to save. */
  readonly action?: string;
  /** Leaves a form that stays open once it is done. */
  readonly onCancel?: (() => void) | undefined;
  readonly children: ReactNode;
}

export function FormBody({ serverForm, action, onCancel, children }: FormBodyProps) {
  const { failure, isBusy, overtaken, onSubmit, isNew } = serverForm;
  const leave = onCancel ?? serverForm.onClose;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        {children}
        {failure ? (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        ) : null}
        {overtaken ? <OvertakenNote overtaken={overtaken} /> : null}
        <Group justify="flex-end" gap="xs">
          {leave ? (
            <Button variant="default" onClick={leave}>
              {strings.ui.cancel}
            </Button>
          ) : null}
          <Button type="submit" loading={isBusy}>
            {action ?? (isNew ? strings.ui.create : strings.ui.save)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly size?: string;
  readonly children: ReactNode;
}

/** A dialog that fills the screen of a phone. Its content is made anew each time it opens. */
export function Dialog({ title, isOpen, onClose, size = 'md', children }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': strings.ui.close }}
    >
      {children}
    </Modal>
  );
}

interface RecordDialogProps<T> {
  readonly words: { readonly create: string; readonly edit: string };
  /** What is edited; closed while that is nothing. */
  readonly editing: T | 'new' | null;
  readonly onClose: () => void;
  /** Its form; of a new record where it is given null. */
  readonly children: (record: T | null) => ReactNode;
}

/** A record is made and edited in the same dialog. */
export function RecordDialog<T>({ words, editing, onClose, children }: RecordDialogProps<T>) {
  const title = editing === 'new' ? words.create : words.edit;
  return (
    <Dialog title={title} isOpen={editing !== null} onClose={onClose} size="lg">
      {editing === null ? null : children(editing === 'new' ? null : editing)}
    </Dialog>
  );
}
