export const ANNOTATION_KINDS = ['alarm', 'note', 'acknowledgement', 'change', 'offline'] as const;

export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** Something that happened at a time, beside the readings. */
export interface Annotation {
  readonly ms: number;
  readonly kind: AnnotationKind;
  readonly text: string;
  /** A page with more about it. */
  readonly path?: string | undefined;
}

/** Annotations that are too close to be shown apart. */
export interface Cluster {
  /** The position of the first one, as a share of the range. */
  readonly at: number;
  readonly items: readonly Annotation[];
}

/** The annotations in a range, in order of time; those within `distance` of a range are together. */
export function clusters(
  annotations: readonly Annotation[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  distance: number,
): Cluster[] {
  const lengthMs = endMs - startMs;
  const found: { at: number; items: Annotation[] }[] = [];
  const inOrder = annotations
    .filter(({ ms }) => ms >= startMs && ms <= endMs)
    .toSorted((a, b) => a.ms - b.ms);
  for (const annotation of inOrder) {
    const at = (annotation.ms - startMs) / lengthMs;
    const last = found.at(-1);
    if (last && at - last.at < distance) last.items.push(annotation);
    else found.push({ at, items: [annotation] });
  }
  return found;
}
