export interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly supersedes: readonly number[];
  readonly supersededBy: readonly number[];
  readonly headings: readonly string[];
}

export function readDecisions(folder: string): Decision[];
export function decisionOf(file: string, text: string): Decision;
export function decisionIndex(decisions: readonly Decision[]): string;
