import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { strings } from '../strings/index.ts';
import type { BulkDialogProps } from './bulk-bar.tsx';
import { Confirm } from './confirm.tsx';
import { Dialog } from './form.tsx';

interface ConfirmProps<T> extends BulkDialogProps<T> {
  readonly title: string;
  /** The label of the button that starts the action. */
  readonly action: string;
  /** What the action does. */
  readonly text: string;
  readonly run: (records: readonly T[]) => Promise<unknown>;
}

/** Asks before an action on all selected records. */
export function ConfirmBulk<T>({ title, action, text, run, onRun, onClose }: ConfirmProps<T>) {
  return (
    <Confirm
      title={title}
      action={action}
      onConfirm={async () => onRun(run)}
      onClose={onClose}
      isOpen
    >
      {text}
    </Confirm>
  );
}

interface SelectProps<T> extends BulkDialogProps<T> {
  readonly title: string;
  readonly action: string;
  readonly label: string;
  /** What it means that nothing is selected. */
  readonly none: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly runWith: (id: string | null) => (records: readonly T[]) => Promise<unknown>;
}

/** Asks which other record all selected ones shall refer to; none is a choice too. */
export function SelectForBulk<T>(props: SelectProps<T>) {
  const { title, action, label, none, options, runWith, onRun, onClose } = props;
  const [id, setId] = useState<string | null>(null);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Stack gap="sm">
        <Select
          label={label}
          placeholder={none}
          data={options.map((option) => ({ value: option.id, label: option.name }))}
          value={id}
          onChange={setId}
          searchable
          clearable
          // Its list would cover the buttons as soon as the dialog opens.
          openOnFocus={false}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {strings.ui.cancel}
          </Button>
          <Button
            onClick={() => {
              onClose();
              onRun(runWith(id));
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
