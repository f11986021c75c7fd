import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Edited, failureText, fieldErrorsOf } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type Held, type Overtaken, OvertakenNote, useVersion } from './overtaken.tsx';

export interface ServerForm<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>;
  readonly failure: string | null;
  readonly isBusy: boolean;
  /** Set once somebody else was found to have changed the record. */
  readonly overtaken: Overtaken | null;
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
}

interface Options<V extends Record<string, unknown>> {
  readonly initialValues: V;
  /** The record that is edited; left out where one is made. */
  readonly edited?: Edited<V> | undefined;
  readonly send: (values: V, ifMatch: string | undefined) => Promise<unknown>;
  readonly onDone?: () => void;
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
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function send(values: V): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await options.send(values, await version.ifMatch());
      if (options.onDone) options.onDone();
      else version.follow(values);
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
  readonly action: string;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

export function FormBody({ serverForm, action, onCancel, children }: FormBodyProps) {
  const { failure, isBusy, overtaken, onSubmit } = serverForm;
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
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {strings.ui.cancel}
            </Button>
          ) : null}
          <Button type="submit" loading={isBusy}>
            {action}
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
