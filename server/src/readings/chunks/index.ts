export { type CachedChunk, ChunkCache } from './chunk-cache.ts';
export { ChunkChanges } from './chunk-changes.ts';
export { ChunkLists } from './chunk-lists.ts';
export { ChunkMetaList } from './chunk-meta-list.ts';
export {
  type ChunkMeta,
  type ChunkRow,
  chunkRows,
  FULL_CHUNK_BYTES,
  isShortEnough,
} from './chunk-row.ts';
export {
  arrayLiteral,
  EVERY_CHUNK,
  EXISTING_VARIABLE,
  findBounds,
  findFlushHorizon,
  insertChunks,
  listChunkMetas,
  nextWriteSeq,
  type PrefetchHint,
  readChunks,
  readPacked,
} from './store.ts';
