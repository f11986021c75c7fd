import { Text } from '@mantine/core';
import { type Column, Panel, RecordTable } from '../ui/index.ts';

/** What was reported last, the newest first. Its entries have no id of their own. */
export function LatestPanel<Entry>({
  title,
  none,
  columns,
  entries,
}: {
  title: string;
  none: string;
  columns: readonly Column<Entry & { readonly id: string }>[];
  entries: readonly Entry[];
}) {
  return (
    <Panel title={title}>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <RecordTable
          label={title}
          columns={columns}
          records={entries.map((entry, index) => ({ ...entry, id: `${index}` }))}
        />
      )}
    </Panel>
  );
}
