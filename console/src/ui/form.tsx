import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Edited, failureText, fieldErrorsOf } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type EditBuffer,
  type EditConflict,
  EditConflictNote,
  useVersion,
} from './edit-conflict.tsx';
import { notify } from './notify.tsx';

export interface ServerForm<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>;
  readonly failure: string | null;
  readonly isBusy: boolean;
  /** Set when the server reports that another user changed the record. */
  readonly conflict: EditConflict | null;
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  readonly isNew: boolean;
  readonly onClose: (() => void) | undefined;
}

interface Options<V extends Record<string, unknown>> {
  readonly initialValues: V;
  /** The edited record; undefined where the form creates a record. */
  readonly edited?: Edited<V> | undefined;
  /** Messages at fields with input that is not sent, by field path. */
  readonly validate?: (values: V) => Record<string, string>;
  readonly send: (values: V, ifMatch: string | undefined) => Promise<unknown>;
  /** The notification after success; null where the page itself shows the result. */
  readonly doneMessage?: string | null;
  readonly onDone?: (() => void) | undefined;
  /** Closes the form after success or cancellation; without it the form stays open. */
  readonly onClose?: (() => void) | undefined;
}

/** A form that shows the server's validation errors at their fields. */
export function useServerForm<V extends Record<string, unknown>>(
  options: Options<V>,
): ServerForm<V> {
  const form = useForm<V>({
    mode: 'controlled',
    initialValues: options.initialValues,
    validate: (values) => options.validate?.(values) ?? {},
    validateInputOnChange: options.validate !== undefined,
  });
  const buffer: EditBuffer<V> = {
    read: () => form.getValues(),
    write(values, stored) {
      form.setValues(values);
      form.resetDirty(stored);
    },
    mark: (clashes) => form.setErrors(theirsIn(clashes)),
  };
  const version = useVersion(buffer, options);
  const { doneMessage = strings.ui.saved, onDone, onClose } = options;
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function send(values: V): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await options.send(values, await version.ifMatch());
      if (doneMessage !== null) notify(doneMessage);
      onDone?.();
      onClose?.();
      if (!onDone && !onClose) {
        form.resetDirty(values);
        version.follow(values);
      }
    } catch (error) {
      if (version.isConflict(error)) return;
      const fields = fieldErrorsOf(error);
      form.setErrors(fields);
      const isAtFields = Object.keys(fields).some((path) => hasField(values, path));
      setFailure(isAtFields ? null : failureText(error));
      focusFirstError();
    } finally {
      setIsBusy(false);
    }
  }

  const { conflict } = version;
  return {
    form,
    failure,
    isBusy,
    conflict,
    onSubmit: form.onSubmit((values) => void send(values), focusFirstError),
    isNew: options.edited === undefined,
    onClose,
  };
}

/** The other user's values of clashing fields, as messages at these fields. */
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

/** Moves keyboard and screen reader to the first field with an error. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  });
}

interface FormBodyProps {
  readonly serverForm: Omit<ServerForm<Record<string, unknown>>, 'form'>;
  /** The label of the submit button where it is neither "Create" nor "Save". */
  readonly action?: string;
  /** Cancels a form that has no `onClose`. */
  readonly onCancel?: (() => void) | undefined;
  readonly children: ReactNode;
}

export function FormBody({ serverForm, action, onCancel, children }: FormBodyProps) {
  const { failure, isBusy, conflict, onSubmit, isNew } = serverForm;
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
        {conflict ? <EditConflictNote conflict={conflict} /> : null}
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

/** A dialog; on a phone it fills the screen. */
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
  /** The edited record, or 'new'; the dialog is closed while it is null. */
  readonly editing: T | 'new' | null;
  readonly onClose: () => void;
  /** The form of the record; null creates one. */
  readonly children: (record: T | null) => ReactNode;
}

/** One dialog creates and edits records of a kind. */
export function RecordDialog<T>({ words, editing, onClose, children }: RecordDialogProps<T>) {
  const title = editing === 'new' ? words.create : words.edit;
  return (
    <Dialog title={title} isOpen={editing !== null} onClose={onClose} size="lg">
      {editing === null ? null : children(editing === 'new' ? null : editing)}
    </Dialog>
  );
}
