export interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

export function filesOf(
  manifest: Readonly<Record<string, ManifestChunk>>,
  names: readonly string[],
): string[];

export function complaintOf(sizes: readonly number[], limitKb?: number): string | undefined;
