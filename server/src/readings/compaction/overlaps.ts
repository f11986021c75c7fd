import type { ChunkMetaList } from '../chunks/index.ts';
import type { Range } from '../reading.ts';
import type { SizedChunkMeta } from './store.ts';

/** Overlaps with at most this many chunks between them are one range. */
const MAX_CHUNKS_BETWEEN = 64;
/** Limits of one merge: each run has about one chunk in memory. */
const MAX_RUNS_PER_MERGE = 64;
const MAX_BYTES_PER_MERGE = 16 * 1024 * 1024;
/** A time and a value in memory, without the text. */
const READING_BYTES = 16;

/** The time ranges in which chunks of a series overlap. */
export function* overlapRanges(metas: ChunkMetaList): Generator<Range> {
  const { firstAt, lastAt, length } = metas;
  let found: { from: number; to: number; index: number } | undefined;
  let start = 0;
  let end = -Infinity;
  for (let index = 0; index < length; index += 1) {
    const [first, last] = [firstAt[index] as number, lastAt[index] as number];
    if (first > end) start = index;
    else if (found && start <= found.index + MAX_CHUNKS_BETWEEN) {
      found.index = index;
      found.to = Math.max(found.to, end, last);
    } else {
      if (found) yield { from: found.from, to: found.to };
      found = { from: firstAt[start] as number, to: Math.max(end, last), index };
    }
    end = Math.max(end, last);
  }
  if (found) yield { from: found.from, to: found.to };
}

/**
 * Divides overlapping runs, which are the chunks of one writeSeq each, into groups that fit into
 * memory. A group is contiguous in writeSeq, so that its result wins and loses against all other
 * chunks as its sources did.
 */
export function mergeGroups(metas: readonly SizedChunkMeta[]): SizedChunkMeta[][] {
  const heaviest = new Map<number, number>();
  for (const { writeSeq, count, bytes } of metas) {
    const weight = READING_BYTES * count + 2 * bytes;
    heaviest.set(writeSeq, Math.max(weight, heaviest.get(writeSeq) ?? 0));
  }
  const groupOfRun = new Map<number, number>();
  let [group, runs, held] = [0, 0, 0];
  for (const [writeSeq, weight] of [...heaviest].sort(([a], [b]) => a - b)) {
    if (runs >= MAX_RUNS_PER_MERGE || (runs > 1 && held + weight > MAX_BYTES_PER_MERGE)) {
      [group, runs, held] = [group + 1, 0, 0];
    }
    groupOfRun.set(writeSeq, group);
    runs += 1;
    held += weight;
  }
  const groups = Array.from({ length: group + 1 }, (): SizedChunkMeta[] => []);
  for (const meta of metas) groups[groupOfRun.get(meta.writeSeq) ?? 0]?.push(meta);
  return groups;
}
