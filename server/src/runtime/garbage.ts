import { setFlagsFromString } from 'node:v8';

/**
 * Tells the garbage collector what kind of program this is. Nearly all that a message makes is gone
 * when its batch is committed, so nothing of it may be put among what stays (V8 would, once it saw
 * some of it survive), and the heap may double twice over before all of it is walked through.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--heap-growing-percent=200');
  // What little survives is copied faster than other threads are woken for it.
  setFlagsFromString('--no-parallel-scavenge');
}
