import type { ReactNode } from 'react';

/** A dialog that asks for what a bulk action needs. */
export interface BulkDialogProps<T> {
  readonly records: readonly T[];
  readonly onRun: (run: (record: T) => Promise<unknown>) => void;
  readonly onClose: () => void;
}

/** An action on the selected records: done at once, after a question, or started by a dialog. */
export type BulkAction<T> = {
  readonly label: string;
  readonly icon?: ReactNode;
  /** The selected records that it is for; where there are none, it is not offered. */
  readonly appliesTo?: (record: T) => boolean;
} & (
  | {
      readonly run: (record: T) => Promise<unknown>;
      /** What the action does to one record; the user is asked first. */
      readonly effect?: string;
      /** Whether the user must type what is changed, as before a loss of history. */
      readonly isTyped?: boolean;
      readonly dialog?: never;
    }
  | {
      readonly dialog: (props: BulkDialogProps<T>) => ReactNode;
      readonly run?: never;
      readonly effect?: never;
    }
);

/** What can be done with selected records of a table. Without actions there are no check boxes. */
export interface TableBulk<T> {
  /** What the table shows, such as its filters: a change of it clears the selection. */
  readonly scope: string;
  /** The name of a record, for questions, failures and screen readers. */
  readonly nameOf: (record: T) => string;
  /** What several records are called, for questions. */
  readonly many: string;
  readonly actions: readonly BulkAction<T>[];
}
