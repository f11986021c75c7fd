import { useState } from 'react';
import { readStored, writeStored } from '../runtime/index.ts';

interface Choosable {
  readonly head: string;
  /** Not shown until the user selects it. */
  readonly isOptional?: boolean;
}

/** The user's choices of columns by head; absent where they left the default. */
export type ColumnChoices = Readonly<Record<string, boolean>>;

/** Choices from storage; anything else than true and false is left out. */
export function parseColumnChoices(stored: string | null): ColumnChoices {
  try {
    const raw: unknown = JSON.parse(stored ?? '{}');
    return Object.fromEntries(
      Object.entries(typeof raw === 'object' && raw !== null ? raw : {}).filter(
        ([, value]) => typeof value === 'boolean',
      ),
    );
  } catch {
    return {};
  }
}

export function isColumnShown({ head, isOptional }: Choosable, choices: ColumnChoices): boolean {
  return choices[head] ?? !isOptional;
}

/** The choices of columns of a table, which the browser keeps. */
export function useColumnChoices(table: string | undefined) {
  const key = `columns.${table}`;
  const [choices, setChoices] = useState(() =>
    table === undefined ? {} : parseColumnChoices(readStored(key)),
  );
  const choose = (head: string, isShown: boolean) => {
    const next = { ...choices, [head]: isShown };
    setChoices(next);
    writeStored(key, JSON.stringify(next));
  };
  const reset = () => {
    setChoices({});
    writeStored(key, null);
  };
  return { choices, choose, reset };
}
