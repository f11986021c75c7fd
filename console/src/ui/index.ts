export type { Tone } from '../design/index.ts';
export { ArchivedScopeFilter } from './archived-scope.tsx';
export {
  ArchivedBadge,
  DeliveryStateBadge,
  OnlineBadge,
  SEVERITY_TONES,
  SeverityBadge,
  StateBadge,
} from './badges.tsx';
export { type Bounds, boundsErrors } from './bounds.ts';
export type { BulkAction } from './bulk-action.ts';
export { moveAction, useBulkActions } from './bulk-actions.tsx';
export { SelectForBulk } from './bulk-dialogs.tsx';
export { AddButton, EditButton } from './buttons.tsx';
export { copyOrSave } from './clipboard-blob.ts';
export { ConfirmOperation, DeleteAction } from './confirm-operation.tsx';
export { CopyCommand, CopyField, CopyIcon } from './copyable.tsx';
export { createdColumn } from './created-column.tsx';
export type { CsvColumn } from './csv.ts';
export { CsvButton } from './csv-button.tsx';
export { Details } from './details.tsx';
export { type EditBuffer, EditConflictNote, useVersion } from './edit-conflict.tsx';
export { useFocusAfter } from './focus-after.ts';
export { Dialog, FormBody, RecordDialog, type ServerForm, useServerForm } from './form.tsx';
export { useFormList, useItemKeys } from './form-list.ts';
export {
  bytesText,
  countText,
  duration,
  exactTime,
  numberText,
  readingText,
  relativeTime,
  timeZone,
  timeZoneAt,
  timeZones,
} from './format.ts';
export { historyOf } from './history-link.tsx';
export { type List, useList } from './list.ts';
export { ListCsv, ListTable } from './list-table.tsx';
export { Filters, filterWidth, Listing, pageOf, SearchField } from './listing.tsx';
export { attempt, notify, notifyFailure, notifyProblem, notifyUndoable } from './notify.tsx';
export { Page } from './page.tsx';
export { PagePart } from './page-part.tsx';
export { Panel } from './panel.tsx';
export { ranked } from './ranked.ts';
export { isSame } from './rebase.ts';
export { NotAllowed, RecordPage } from './record-page.tsx';
export type { RowAction } from './row-actions.tsx';
export { saveFile } from './save-file.ts';
export { SavedViews } from './saved-views.tsx';
export {
  cutText,
  type FoundOptions,
  type Option,
  SearchedSelect,
  type SearchedSelectProps,
} from './searched-select.tsx';
export { useSelection } from './selection.ts';
export { byName } from './sort.ts';
export { SortedTable } from './sorted-table.tsx';
export { sparklinePath } from './sparkline-path.ts';
export { Empty, Failed, Loaded, Loading } from './states.tsx';
export { TabList } from './tab-list.tsx';
export { RecordTable } from './table.tsx';
export type { Column } from './table-props.ts';
export { Timestamp } from './timestamp.tsx';
export { UnsavedChanges } from './unsaved-changes.tsx';
