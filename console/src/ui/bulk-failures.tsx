import { Alert } from '@mantine/core';
import { failureText } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkFailure, namesByReason } from './bulk.ts';
import { countText } from './format.ts';
import { NameList } from './name-list.tsx';
import type { Selection } from './selection.ts';

const words = strings.ui.selection;

interface Props<T> {
  readonly label: string;
  /** How many records the action was for. */
  readonly count: number;
  readonly failures: readonly BulkFailure<T>[];
  readonly state: Selection<T>;
  readonly nameOf: (record: T) => string;
}

/** Which records an action failed for, and why, as long as they are selected. */
export function BulkFailures<T extends { readonly id: string }>(props: Props<T>) {
  const { label, count, failures, state, nameOf } = props;
  const selected = failures.filter(({ record }) => state.has(record.id));
  if (selected.length === 0) return null;
  const names = namesByReason(selected, { nameOf, reasonOf: failureText });
  return (
    <Alert
      color="red"
      role="alert"
      p="xs"
      title={words.failed(label, countText(failures.length), countText(count))}
    >
      <NameList
        label={words.failures}
        items={[...names].map(([reason, those]) => ({
          id: reason,
          text: words.failure(those.join(', '), reason),
        }))}
      />
    </Alert>
  );
}
