import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { every } from './every.ts';

const MEGABYTE = 1024 * 1024;
const MAX_GROWTH_PERCENT = 200;
const MIN_GROWTH_PERCENT = 30;
/** The garbage that a large heap may hold before a full collection. */
const MAX_GARBAGE_BYTES = 128 * MEGABYTE;
const ADJUST_EVERY_MS = 5_000;

/**
 * Tunes V8's garbage collector for ingest. Nearly every object that a message creates is garbage once
 * its batch is committed, so none may be allocated in the old generation (V8 would, once it saw some
 * survive), and the heap may triple before a full collection, unless it is large.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  // The few survivors are copied faster than other threads are woken for it.
  setFlagsFromString('--no-parallel-scavenge');
  adjustHeapGrowth();
  every(ADJUST_EVERY_MS, adjustHeapGrowth, () => undefined).start();
}

let growthPercent = 0;

function adjustHeapGrowth(): void {
  const percent = heapGrowthPercent(getHeapStatistics().used_heap_size);
  if (percent === growthPercent) return;
  growthPercent = percent;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** By how much a heap of this size may grow before a full collection. */
export function heapGrowthPercent(usedBytes: number): number {
  const percent = Math.round((100 * MAX_GARBAGE_BYTES) / usedBytes);
  return Math.max(MIN_GROWTH_PERCENT, Math.min(MAX_GROWTH_PERCENT, percent));
}
