/** Where something is in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a file. */
export interface Problem extends Place {
  /** The field, as a path from the top of the file; empty for the file as a whole. */
  readonly field: string;
  readonly reason: string;
}

export function problemText({ file, line, column, field, reason }: Problem): string {
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field} `}${reason}`;
}
