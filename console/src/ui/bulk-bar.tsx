import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { useRefresh } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { type BulkFailure, runBulk } from './bulk.ts';
import type { BulkAction, TableBulk } from './bulk-action.ts';
import classes from './bulk-bar.module.css';
import { ConfirmBulk } from './bulk-dialogs.tsx';
import { BulkFailures } from './bulk-failures.tsx';
import { countText } from './format.ts';
import { notify } from './notify.tsx';
import type { Selection } from './selection.ts';

const words = strings.ui.selection;

interface Props<T> {
  readonly state: Selection<T>;
  readonly bulk: TableBulk<T>;
  /** Called when an action has ended, by which the bar may have left the screen. */
  readonly onEnd: () => void;
}

/** The number of selected records and the actions on them, at the lower edge of the screen. */
export function BulkBar<T extends { readonly id: string }>({ state, bulk, onEnd }: Props<T>) {
  const [asking, setAsking] = useState<BulkAction<T> | null>(null);
  const { progress, failed, start } = useBulk(state, onEnd);
  const { records } = state;
  if (records.length === 0) return null;
  const forAction = ({ appliesTo = () => true }: BulkAction<T>) => records.filter(appliesTo);
  const begin = (action: BulkAction<T>) => {
    if (action.run && action.effect === undefined) void start(action, records, action.run);
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
      {failed ? <BulkFailures {...failed} state={state} nameOf={bulk.nameOf} /> : null}
      <Group gap="xs" wrap="wrap">
        <Text size="sm" fw={600} role="status">
          {progress
            ? words.progress(countText(progress.done), countText(progress.count))
            : words.count(countText(records.length))}
        </Text>
        {bulk.actions
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
      {asking ? (
        <Asking
          action={asking}
          records={forAction(asking)}
          bulk={bulk}
          onRun={(run) => void start(asking, records, run)}
          onClose={() => setAsking(null)}
        />
      ) : null}
    </Paper>
  );
}

interface AskingProps<T> {
  readonly action: BulkAction<T>;
  readonly records: readonly T[];
  readonly bulk: TableBulk<T>;
  readonly onRun: (run: (record: T) => Promise<unknown>) => void;
  readonly onClose: () => void;
}

function Asking<T extends { readonly id: string }>({
  action,
  records,
  bulk,
  onRun,
  onClose,
}: AskingProps<T>) {
  if (action.dialog) return action.dialog({ records, onRun, onClose });
  return (
    <ConfirmBulk
      {...action}
      records={records.map((record) => ({ id: record.id, text: bulk.nameOf(record) }))}
      many={bulk.many}
      onConfirm={() => onRun(action.run)}
      onClose={onClose}
    />
  );
}

interface BulkProgress {
  readonly done: number;
  readonly count: number;
}

interface Failed<T> {
  readonly label: string;
  readonly count: number;
  readonly failures: readonly BulkFailure<T>[];
}

/** Runs bulk actions. Records for which one failed stay selected. */
function useBulk<T extends { readonly id: string }>(state: Selection<T>, onEnd: () => void) {
  const refresh = useRefresh();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [failed, setFailed] = useState<Failed<T> | null>(null);
  const start = async (
    { label, appliesTo = () => true }: BulkAction<T>,
    selected: readonly T[],
    run: (record: T) => Promise<unknown>,
  ) => {
    const records = selected.filter(appliesTo);
    const count = records.length;
    setFailed(null);
    setProgress({ done: 0, count });
    const onProgress = (done: number) => setProgress({ done, count });
    const failures = await runBulk({ records, run, onProgress });
    const failedIds = new Set(failures.map(({ record }) => record.id));
    state.setAll(
      records.filter(({ id }) => !failedIds.has(id)),
      false,
    );
    setProgress(null);
    if (failures.length > 0) setFailed({ label, count, failures });
    else notify(words.done(label, countText(count)));
    await refresh();
    onEnd();
  };
  return { progress, failed, start };
}
