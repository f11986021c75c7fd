export { PieceList } from './piece-list.ts';
export { ALL_BYTES, type BytesWish, listPiecesOf, readChunks } from './store.ts';
