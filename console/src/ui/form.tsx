import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { failureText, fieldErrorsOf } from '../service/index.ts';
import { strings } from '../strings/index.ts';

export interface ServerForm<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>;
  readonly failure: string | null;
  readonly isBusy: boolean;
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
}

interface Options<V extends Record<string, unknown>> {
  readonly initialValues: V;
  readonly send: (values: V) => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A form that shows what the server refuses at the fields it refuses. */
export function useServerForm<V extends Record<string, unknown>>(
  options: Options<V>,
): ServerForm<V> {
  const form = useForm<V>({ mode: 'controlled', initialValues: options.initialValues });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function send(values: V): Promise<void> {
    setIsBusy(true);
    setFailure(null);
    try {
      await options.send(values);
      options.onDone?.();
    } catch (error) {
      const fields = fieldErrorsOf(error);
      form.setErrors(fields);
      const isAtFields = Object.keys(fields).some((path) => hasField(values, path));
      setFailure(isAtFields ? null : failureText(error));
      focusFirstError();
    } finally {
      setIsBusy(false);
    }
  }

  return { form, failure, isBusy, onSubmit: form.onSubmit((values) => void send(values)) };
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
  readonly serverForm: Pick<ServerForm<Record<string, unknown>>, 'failure' | 'isBusy' | 'onSubmit'>;
  readonly action: string;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

export function FormBody({ serverForm, action, onCancel, children }: FormBodyProps) {
  const { failure, isBusy, onSubmit } = serverForm;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        {children}
        {failure ? (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        ) : null}
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
