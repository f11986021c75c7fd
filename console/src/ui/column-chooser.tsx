import { ActionIcon, Button, Checkbox, Popover, Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { IconColumns } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { isColumnShown, type useColumnChoices } from './columns.ts';

const words = strings.ui.columns;

type Props = ReturnType<typeof useColumnChoices> & {
  readonly columns: readonly { readonly head: string; readonly isOptional?: boolean }[];
};

/** Shows and hides the columns of a table. */
export function ColumnChooser({ columns, choices, choose, reset }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus withArrow>
      <Popover.Target>
        <Tooltip label={words.choose} disabled={isOpen}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={words.choose}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconColumns size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.choose}>
        <Stack gap="xs" role="group" aria-label={words.title}>
          <Text size="xs" c="dimmed" fw={600}>
            {words.title}
          </Text>
          {columns.map((column) => (
            <Checkbox
              key={column.head}
              size="xs"
              label={column.head}
              checked={isColumnShown(column, choices)}
              onChange={({ currentTarget }) => choose(column.head, currentTarget.checked)}
            />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={reset}>
            {words.reset}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
