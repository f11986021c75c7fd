import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { failureText, useRefresh } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { runBulk } from './bulk.ts';
import classes from './bulk-bar.module.css';
import { countText } from './format.ts';
import { notify, notifyProblem } from './notify.tsx';
import type { Selection } from './selection.ts';

const words = strings.ui.selection;

type Run<T> = (records: readonly T[]) => Promise<unknown>;

/** A dialog that asks before a bulk action, or for what it needs. */
export interface BulkDialogProps<T> {
  readonly records: readonly T[];
  readonly onRun: (run: Run<T>) => void;
  readonly onClose: () => void;
}

/** An action on the selected records: done at once, or started by a dialog. */
export type BulkAction<T> = {
  readonly label: string;
  readonly icon?: ReactNode;
  /** The selected records that it is for; where there are none, it is not offered. */
  readonly appliesTo?: (record: T) => boolean;
  /** How many records one call takes. */
  readonly recordsPerCall?: number;
} & (
  | { readonly run: Run<T>; readonly dialog?: never }
  | { readonly dialog: (props: BulkDialogProps<T>) => ReactNode; readonly run?: never }
);

interface Props<T> {
  readonly state: Selection<T>;
  readonly actions: readonly BulkAction<T>[];
}

/** The number of selected records and the actions on them, at the lower edge of the screen. */
export function BulkBar<T>({ state, actions }: Props<T>) {
  const [asking, setAsking] = useState<BulkAction<T> | null>(null);
  const { progress, start } = useBulk(state);
  const { records } = state;
  if (records.length === 0) return null;
  const forAction = ({ appliesTo = () => true }: BulkAction<T>) => records.filter(appliesTo);
  const begin = (action: BulkAction<T>) => {
    if (action.run) void start(action, forAction(action), action.run);
    else setAsking(action);
  };
  return (
    <Paper className={classes.bar} shadow="md" withBorder role="region" aria-label={words.head}>
      {progress ? (
        <Progress
          value={(100 * progress.done) / progress.count}
          size="xs"
          aria-label={words.progress(countText(progress.done), countText(progress.count))}
        />
      ) : null}
      <Group gap="xs" wrap="wrap">
        <Text size="sm" fw={600} role="status">
          {progress
            ? words.progress(countText(progress.done), countText(progress.count))
            : words.count(countText(records.length))}
        </Text>
        {actions
          .filter((action) => forAction(action).length > 0)
          .map((action) => (
            <Button
              key={action.label}
              size="xs"
              variant="default"
              leftSection={action.icon}
              disabled={progress !== null}
              onClick={() => begin(action)}
            >
              {action.label}
            </Button>
          ))}
        <Button size="xs" variant="subtle" color="gray" c="dimmed" ml="auto" onClick={state.clear}>
          {words.clear}
        </Button>
      </Group>
      {asking?.dialog?.({
        records: forAction(asking),
        onRun: (run) => void start(asking, forAction(asking), run),
        onClose: () => setAsking(null),
      })}
    </Paper>
  );
}

interface BulkProgress {
  readonly done: number;
  readonly count: number;
}

/** Runs bulk actions. Records for which one failed stay selected. */
function useBulk<T>(state: Selection<T>) {
  const refresh = useRefresh();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const start = async (action: BulkAction<T>, records: readonly T[], run: Run<T>) => {
    const count = records.length;
    setProgress({ done: 0, count });
    const { recordsPerCall = 1, label } = action;
    const onProgress = (done: number) => setProgress({ done, count });
    const { failed, failure } = await runBulk({ records, recordsPerCall, run, onProgress });
    const isFailed = new Set(failed);
    state.setAll(
      records.filter((record) => !isFailed.has(record)),
      false,
    );
    setProgress(null);
    if (failed.length > 0) {
      notifyProblem(
        words.failed(label, countText(failed.length), countText(count), failureText(failure)),
      );
    } else {
      notify(words.done(label, countText(count)));
    }
    await refresh();
  };
  return { progress, start };
}
