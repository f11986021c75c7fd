export { decodeChunk } from './decode-chunk.ts';
export { type Part, PartReader } from './slice-reader.ts';
export {
  type Planned,
  type Series,
  type SliceBatch,
  type Source,
  type Stretch,
  stretchesOf,
} from './time-slices.ts';
