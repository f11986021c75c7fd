import { ANNOTATION_KINDS, type AnnotationKind } from '../charts/index.ts';
import { readStored, writeStored } from '../runtime/index.ts';

const STORAGE_NAME = 'chart-annotations-off';

/** The kinds of annotations that the user has hidden last, for charts whose view is not in a URL. */
export function readKindsOff(): readonly AnnotationKind[] {
  const stored = readStored(STORAGE_NAME)?.split(',') ?? [];
  return ANNOTATION_KINDS.filter((kind) => stored.includes(kind));
}

export function writeKindsOff(kinds: readonly AnnotationKind[]): void {
  writeStored(STORAGE_NAME, kinds.length > 0 ? kinds.join(',') : null);
}
