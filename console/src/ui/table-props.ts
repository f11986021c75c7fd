import type { ReactNode } from 'react';
import type { TableBulk } from './bulk-action.ts';
import type { useColumnChoices } from './columns.ts';
import type { RowAction } from './row-actions.tsx';
import type { Selection } from './selection.ts';
import type { SortableColumn, SortDirection, TableSort } from './sort.ts';
import type { TableLayout } from './table-layout.ts';

/** A click on the head of a column with a sort key sorts by it. */
export interface Column<T> extends SortableColumn<T> {
  readonly head: string;
  readonly cell: (record: T) => ReactNode;
  /** Hidden on a narrow screen. */
  readonly isMinor?: boolean;
  readonly align?: 'right';
  readonly width?: number | string;
  /** Hides the head visually; screen readers still announce it. */
  readonly isHeadHidden?: boolean;
  /** The direction of the first click; ascending unless the largest or latest is of interest. */
  readonly firstDirection?: SortDirection;
  /** Hidden until the user selects it among the columns. */
  readonly isOptional?: boolean;
}

export interface RecordActions<T> {
  readonly nameOf: (record: T) => string;
  readonly of: (record: T) => readonly RowAction[];
}

/** Check boxes for the records. */
export interface TableSelection<T> {
  readonly state: Selection<T>;
  /** The name of a record for screen readers. */
  readonly nameOf: (record: T) => string;
}

export interface TableProps<T extends { readonly id: string }> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly records: readonly T[];
  /** Whether the columns need more width than most tables have on a tablet. */
  readonly isWide?: boolean;
  readonly toneOf?: (record: T) => string | undefined;
  /** The actions on each record, with the record's name for screen readers. */
  readonly actions?: RecordActions<T> | undefined;
  /** The order of the records; heads with a sort key change it. */
  readonly sort?: TableSort | undefined;
  readonly bulk?: TableBulk<T> | undefined;
  /** The page of a record, which a click on its row opens. A cell must have a link to it too. */
  readonly hrefOf?: ((record: T) => string) | undefined;
  /** The name under which the browser keeps the user's choice of columns; without it there is none. */
  readonly columnsKey?: string | undefined;
}

/** What head, rows and cards of a table share. */
export interface TableParts<T extends { readonly id: string }> extends TableProps<T> {
  readonly layout: TableLayout;
  readonly selection: TableSelection<T> | undefined;
  /** The columns of the records that can be chosen; `columns` are those shown. */
  readonly choosable: readonly Column<T>[];
  readonly chosen: ReturnType<typeof useColumnChoices>;
}
