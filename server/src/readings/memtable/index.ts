export { BlockPool } from './block-pool.ts';
export { bufferedIn, latestIn } from './buffered.ts';
export { Memtable } from './memtable.ts';
export { SeriesBuffers } from './series-buffers.ts';
