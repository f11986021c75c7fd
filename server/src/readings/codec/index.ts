export type { BlockVisitor } from './block-visitor.ts';
export { ByteReader } from './byte-reader.ts';

export { decode, decodeRange, visitNumbers } from './chunk-reader.ts';
export { encodeBooleans, encodeNumbers, encodePart, encodeStrings } from './chunk-writer.ts';
export { DamagedChunk } from './damaged-chunk.ts';
export { type DataPart, PartialChunk } from './partial-chunk.ts';
export { type Summary, summaryOf } from './summary.ts';
export { headBytesOf, isHeadAlone, isZoned } from './zoned-chunk-header.ts';
