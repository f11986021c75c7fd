/** What vitest's JSON report says, as far as it is counted. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export declare function countTests(
  ok: boolean,
  report: Report | undefined,
): { readonly passed: number; readonly failed: number; readonly complaints: readonly string[] };
