import type { OperationId } from '@fieldwatch/contract';
import type { ReactNode } from 'react';
import { IconPower, IconTrash } from '../icons/index.ts';
import { type Input, isGone, useCall } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { BulkAction } from './bulk-action.ts';
import { SelectForBulk } from './bulk-dialogs.tsx';

const words = strings.ui;
const icon = { size: 16, 'aria-hidden': true } as const;

interface Deletion<T, Id extends OperationId> {
  readonly operation: Id;
  readonly inputOf: (record: T) => Input<Id>;
  readonly effect: string;
  readonly label?: string | undefined;
  readonly appliesTo?: ((record: T) => boolean) | undefined;
  readonly isTyped?: boolean;
}

interface Move<T> {
  readonly label: string;
  readonly icon: ReactNode;
  readonly titleOf: (count: number) => string;
  /** What the destination is called. */
  readonly field: string;
  /** What it means to have no destination. */
  readonly none: string;
  readonly destinations: readonly { readonly id: string; readonly name: string }[];
  readonly moveTo: (destinationId: string | null) => (record: T) => Promise<unknown>;
}

/** Moves records to a place, or out of it. A record is no destination of its own. */
export function moveAction<T extends { readonly id: string }>(of: Move<T>): BulkAction<T> {
  return {
    label: of.label,
    icon: of.icon,
    dialog: (props) => (
      <SelectForBulk
        {...props}
        title={of.titleOf(props.records.length)}
        action={words.move}
        label={of.field}
        none={of.none}
        options={of.destinations.filter(({ id }) => props.records.every((each) => each.id !== id))}
        runWith={of.moveTo}
      />
    ),
  };
}

/** Bulk actions that many lists have. */
export function useBulkActions() {
  const call = useCall();
  /** A record that does not exist any more counts as deleted. */
  const deletion = <T, Id extends OperationId>(of: Deletion<T, Id>): BulkAction<T> => ({
    label: of.label ?? words.remove,
    icon: <IconTrash {...icon} />,
    effect: of.effect,
    isTyped: of.isTyped ?? false,
    ...(of.appliesTo ? { appliesTo: of.appliesTo } : {}),
    run: (record) =>
      call(of.operation, of.inputOf(record)).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      }),
  });
  /** Enabling and disabling of records that are either. */
  const activation = <T extends { readonly isActive: boolean }, Id extends OperationId>(
    operation: Id,
    inputOf: (record: T, body: { isActive: boolean }) => Input<Id>,
  ): readonly BulkAction<T>[] => [
    {
      label: words.enable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isActive }) => !isActive,
      run: (record) => call(operation, inputOf(record, { isActive: true })),
    },
    {
      label: words.disable,
      icon: <IconPower {...icon} />,
      appliesTo: ({ isActive }) => isActive,
      effect: words.disableEffect,
      run: (record) => call(operation, inputOf(record, { isActive: false })),
    },
  ];
  return { deletion, activation };
}
