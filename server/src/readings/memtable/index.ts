export { Generation } from './memtable.ts';
export { SpareBlocks } from './run-arena.ts';
export { Tails } from './series-buffers.ts';
