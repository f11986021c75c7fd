/** One value, or one of each system that was measured in the same way. */
export interface Figure {
  readonly group?: string;
  readonly name: string;
  readonly value?: string;
  readonly columns?: Readonly<Record<string, string>>;
  readonly comparison: string;
}

export interface BenchResult {
  readonly file: string;
  readonly benchmark: string;
  readonly command: string;
  readonly date: string;
  /** Null where it is not known, or where the sources were not those of a commit. */
  readonly commit: string | null;
  readonly machine: string;
  readonly node: string | null;
  readonly conditions: string;
  readonly figures: readonly Figure[];
}

export function readResults(folder: string): BenchResult[];
export function resultsPage(results: readonly BenchResult[]): string;
