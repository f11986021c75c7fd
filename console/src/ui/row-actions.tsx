import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings/index.ts';

/** An action on the record of a row. */
export interface RowAction {
  readonly label: string;
  /** A button without an icon shows its label. */
  readonly icon?: ReactNode;
  readonly isDestructive?: boolean;
  /** Why the action is not possible on this record. */
  readonly disabledReason?: string | undefined;
  readonly act: () => void;
}

interface Props {
  readonly name: string;
  readonly actions: readonly RowAction[];
}

/** The buttons at the end of a row. */
export function RowActions({ name, actions }: Props) {
  if (actions.length === 0) return null;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {actions.map((action) => (
        <RowButton key={action.label} name={name} {...action} />
      ))}
    </Group>
  );
}

type ButtonProps = RowAction & Pick<Props, 'name'>;

function RowButton({ name, label, icon, isDestructive, disabledReason, act }: ButtonProps) {
  const isDisabled = disabledReason !== undefined;
  // A disabled button would have no tooltip, so it stays focusable and does nothing.
  const shared = {
    'aria-label': strings.ui.actionOn(label, name),
    ...(isDisabled ? { 'aria-disabled': true, 'data-disabled': true } : { onClick: act }),
  };
  return (
    <Tooltip
      label={disabledReason ?? label}
      disabled={!isDisabled && icon === undefined}
      multiline={isDisabled}
      {...(isDisabled ? { w: 260 } : {})}
    >
      {icon === undefined ? (
        <Button size="xs" variant="light" {...shared}>
          {label}
        </Button>
      ) : (
        <ActionIcon
          variant="subtle"
          {...(isDestructive ? { color: 'red', c: 'red' } : { color: 'gray' })}
          {...shared}
        >
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  );
}
