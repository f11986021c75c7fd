import { MultiSelect, NumberInput } from '@mantine/core';
import { useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { boundsErrors, Dialog, FormBody, useServerForm } from '../ui/index.ts';
import type { BoardFilters } from './board-filters.ts';
import {
  DEFAULT_ROTATION_SECONDS,
  MAX_ROTATED_BOARDS,
  MAX_ROTATION_SECONDS,
  MIN_ROTATION_SECONDS,
} from './wall-filters.ts';

const words = strings.dashboards.rotation;
const BOUNDS = { seconds: { min: MIN_ROTATION_SECONDS, max: MAX_ROTATION_SECONDS } };
const MAX_LISTED = 1_000;

interface Props {
  readonly dashboardId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onStart: (change: Partial<BoardFilters>) => void;
}

/** Starts a wall that shows several boards in turn. The URL keeps them, as a bookmark of the wall. */
export function RotationDialog({ isOpen, onClose, ...rest }: Props) {
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      {isOpen ? <RotationForm {...rest} onClose={onClose} /> : null}
    </Dialog>
  );
}

function RotationForm({ dashboardId, onClose, onStart }: Omit<Props, 'isOpen'>) {
  const { data } = useRead('listDashboards', { query: { take: MAX_LISTED } });
  const serverForm = useServerForm({
    initialValues: { boards: [dashboardId], seconds: DEFAULT_ROTATION_SECONDS as number | string },
    validate: (values): Record<string, string> => ({
      ...boundsErrors(values, BOUNDS),
      ...(values.boards.length < 2 ? { boards: words.tooFew } : {}),
      ...(values.seconds === '' ? { seconds: words.noSeconds } : {}),
    }),
    send: async ({ boards, seconds }) => onStart({ boards, seconds: Number(seconds) }),
    doneMessage: null,
    onClose,
  });
  const { form } = serverForm;
  return (
    <FormBody serverForm={serverForm} action={words.start}>
      <MultiSelect
        label={words.boards}
        data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        maxValues={MAX_ROTATED_BOARDS}
        searchable
        data-autofocus
        {...form.getInputProps('boards')}
      />
      <NumberInput label={words.seconds} allowDecimal={false} {...form.getInputProps('seconds')} />
    </FormBody>
  );
}
