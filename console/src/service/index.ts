export { batchesOf, MAX_IDS_PER_REQUEST } from './batches.ts';
export {
  type ColumnsReply,
  createQueryClient,
  type Input,
  keyOf,
  type ReadOptions,
  type Reply,
  useCall,
  useDownload,
  useRead,
  useReadColumns,
  useRefresh,
  useWrite,
} from './calls.ts';
export { type Current, type Edited, isVersionConflict, useEdited } from './edited.ts';
export { failureText, fieldErrorsOf, isGone } from './failures.ts';
export {
  compact,
  idsIn,
  type ListPosition,
  manyIn,
  numberIn,
  oneIn,
  pageIn,
  positionIn,
  type Raw,
  sortIn,
  sortQuery,
  textIn,
  useFilters,
} from './filters.ts';
export { loadScript, useScript } from './load-script.ts';
export type * from './records.ts';
