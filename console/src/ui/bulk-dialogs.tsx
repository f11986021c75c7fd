import { Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { strings } from '../strings/index.ts';
import type { BulkDialogProps } from './bulk-action.ts';
import { Confirm } from './confirm.tsx';
import { Dialog } from './form.tsx';
import { countText } from './format.ts';
import { NameList } from './name-list.tsx';

const words = strings.ui.selection;

interface ConfirmProps {
  readonly records: readonly { readonly id: string; readonly text: string }[];
  /** What several of the records are called. */
  readonly many: string;
  /** The label of the button that starts the action. */
  readonly label: string;
  /** What the action does to one record. */
  readonly effect?: string;
  readonly isTyped?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks once before an action on all selected records, and names each of them. */
export function ConfirmBulk(props: ConfirmProps) {
  const { records, many, label, effect = '', isTyped, onConfirm, onClose } = props;
  const [first] = records;
  const counted = words.counted(countText(records.length), many);
  const isOne = records.length === 1 && first !== undefined;
  const subject = isOne ? first.text : counted;
  return (
    <Confirm
      title={strings.ui.ask(label, subject)}
      action={label}
      {...(isTyped ? { typed: subject } : {})}
      onConfirm={async () => onConfirm()}
      onClose={onClose}
      isOpen
    >
      {isOne ? (
        effect
      ) : (
        <Stack gap="xs">
          <NameList label={counted} items={records} />
          <span>{words.each(effect)}</span>
        </Stack>
      )}
    </Confirm>
  );
}

interface SelectProps<T, Choice extends string> extends BulkDialogProps<T> {
  readonly title: string;
  readonly action: string;
  readonly label: string;
  readonly options: readonly { readonly id: Choice; readonly name: string }[];
}

type ChoiceProps<T, Choice extends string> = SelectProps<T, Choice> &
  (
    | {
        /** What it means that nothing is selected; without it, the user must select. */
        readonly none: string;
        readonly runWith: (id: Choice | null) => (record: T) => Promise<unknown>;
      }
    | {
        readonly none?: never;
        readonly runWith: (id: Choice) => (record: T) => Promise<unknown>;
      }
  );

/** Asks for a value that all selected records shall have. */
export function SelectForBulk<T, Choice extends string>(props: ChoiceProps<T, Choice>) {
  const { title, action, label, none, options, onRun, onClose } = props;
  const [id, setId] = useState<Choice | null>(null);
  const run = id !== null ? props.runWith(id) : props.none === undefined ? null : props.runWith(id);
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Stack gap="sm">
        <Select
          label={label}
          placeholder={none ?? label}
          data={options.map((option) => ({ value: option.id, label: option.name }))}
          value={id}
          onChange={(next) => setId(options.find((option) => option.id === next)?.id ?? null)}
          searchable
          clearable={none !== undefined}
          // Its list would cover the buttons as soon as the dialog opens.
          openOnFocus={false}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {strings.ui.cancel}
          </Button>
          <Button
            disabled={run === null}
            onClick={() => {
              onClose();
              if (run) onRun(run);
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
