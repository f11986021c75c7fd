export { MAX_READINGS } from './chunk.ts';
export { DamagedChunk } from './damaged-chunk.ts';
export {
  type BooleanColumns,
  type Columns,
  decode,
  decodeRange,
  type NumberColumns,
  type StringColumns,
  visitNumbers,
} from './decode.ts';
export { encodeBooleans, encodeNumbers, encodeStrings } from './encode.ts';
export { MAX_TEXT_BYTES } from './strings.ts';
export { type Summary, summaryOf } from './summary.ts';
export type { BlockVisitor } from './visit.ts';
