import { Button } from '@mantine/core';
import { IconPencil, IconPlus } from '../icons/index.ts';
import { strings } from '../strings/index.ts';

interface Props {
  readonly onClick: () => void;
}

/** Opens the form of a new record. */
export function AddButton({ label, onClick }: Props & { readonly label: string }) {
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

/** Opens the form of the page's record. */
export function EditButton({ onClick }: Props) {
  return (
    <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onClick}>
      {strings.ui.edit}
    </Button>
  );
}
