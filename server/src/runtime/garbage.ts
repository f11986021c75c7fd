import { setFlagsFromString } from 'node:v8';

/**
 * Tunes V8's garbage collector for ingest. Nearly every object that a message creates is garbage once
 * its batch is committed, so none may be allocated in the old generation (V8 would, once it saw some
 * survive), and the heap may triple before a full collection.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=200');
  // The few survivors are copied faster than other threads are woken for it.
  setFlagsFromString('--no-parallel-scavenge');
}
