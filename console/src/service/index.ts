export {
  type ColumnsReply,
  createQueryClient,
  type Input,
  keyOf,
  type Reply,
  useCall,
  useRead,
  useReadColumns,
  useWrite,
} from './calls.ts';
export { type Current, type Edited, isVersionConflict, useEdited } from './edited.ts';
export { failureText, fieldErrorsOf, isGone } from './failures.ts';
export {
  compact,
  idsIn,
  manyIn,
  numberIn,
  oneIn,
  pageIn,
  type Raw,
  textIn,
  useFilters,
} from './filters.ts';
export type * from './records.ts';
