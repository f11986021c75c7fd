export { decodeChunk, openPartial } from './decode-chunk.ts';
export { type DecodedSlice, SliceReader } from './slice-reader.ts';
export {
  type PlannedSlice,
  type Series,
  type SliceBatch,
  type Source,
  type TimeSlice,
  timeSlicesOf,
} from './time-slices.ts';
