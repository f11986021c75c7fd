import { Button } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { strings } from '../strings/index.ts';

interface Given {
  readonly onClick: () => void;
}

/** Opens the form of a new record. */
export function AddButton({ label, onClick }: Given & { readonly label: string }) {
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

/** Opens the form of the record that a page is about. */
export function EditButton({ onClick }: Given) {
  return (
    <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onClick}>
      {strings.ui.edit}
    </Button>
  );
}
