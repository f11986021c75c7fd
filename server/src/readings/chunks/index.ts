export { PieceList } from './chunk-meta-list.ts';
export { type ChunkRow, chunkRows, type Piece } from './chunk-row.ts';
export {
  ALL_BYTES,
  arrayLiteral,
  type BytesWish,
  deleteExpiredChunks,
  EXISTING_VARIABLE,
  findBounds,
  insertChunks,
  listPiecesOf,
  nextWrite,
  readChunks,
} from './store.ts';
