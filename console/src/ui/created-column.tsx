import { strings } from '../strings/index.ts';
import type { Column } from './table-props.ts';
import { Timestamp } from './timestamp.tsx';

/** When a record was created: the order of lists, and a column for those who select it. */
export const createdColumn: Column<{ readonly createdDateTime: string }> = {
  head: strings.ui.created,
  cell: ({ createdDateTime }) => <Timestamp at={createdDateTime} />,
  sortKey: 'CREATED',
  firstDirection: 'descending',
  value: ({ createdDateTime }) => createdDateTime,
  isMinor: true,
  isOptional: true,
};
