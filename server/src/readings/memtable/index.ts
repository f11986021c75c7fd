export { bufferedIn, latestIn } from './buffered.ts';
export { Memtable } from './memtable.ts';
export { BlockPool } from './run-arena.ts';
export { SeriesBuffers } from './series-buffers.ts';
