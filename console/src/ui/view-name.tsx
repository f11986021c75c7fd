import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { strings } from '../strings/index.ts';
import { Dialog } from './form.tsx';
import { MAX_VIEW_NAME_LENGTH } from './views.ts';

const words = strings.ui.views;

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** The name that a view has already. */
  readonly current?: string;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onSave: (name: string) => void;
}

/** Asks for the name of a view. */
export function NameView({ title, isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <NameForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

function NameForm({ current = '', taken, onClose, onSave }: Omit<Props, 'title' | 'isOpen'>) {
  const [name, setName] = useState(current);
  const trimmed = name.trim();
  const isTaken = trimmed !== current && taken.includes(trimmed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trimmed !== '' && !isTaken) onSave(trimmed);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={strings.ui.name}
          value={name}
          maxLength={MAX_VIEW_NAME_LENGTH}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={isTaken ? words.nameTaken : undefined}
          data-autofocus
          required
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {strings.ui.cancel}
          </Button>
          <Button type="submit" disabled={trimmed === '' || isTaken}>
            {strings.ui.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
