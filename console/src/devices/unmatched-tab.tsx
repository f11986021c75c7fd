import type { VariableType } from '@fieldwatch/contract';
import { Button, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Device, type UnmatchedPath, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  countText,
  Empty,
  Loaded,
  RecordTable,
  readingText,
  Timestamp,
} from '../ui/index.ts';
import { VariableCreation, type VariableValues } from '../variables/index.ts';

const words = strings.devices.unmatched;
const MIN_PATH = 5;

/** A suggestion for a Variable from an unmatched path and its last value. */
export function suggestionOf({ path, lastValue }: UnmatchedPath): Partial<VariableValues> {
  const last = path.split(/[./]/).at(-1) ?? path;
  const spaced = last
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim();
  const name = spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
  const types: Record<string, VariableType> = { number: 'NUMBER', boolean: 'BOOLEAN' };
  return {
    topicPropertyPath: path,
    name: name.length < 2 ? path : name,
    type: types[typeof lastValue] ?? 'STRING',
  };
}

/** Received paths that match no Variable, with a button that creates one. */
export function UnmatchedTab({ device }: { device: Device }) {
  const { may } = useSession();
  const query = useRead(
    'listUnmatchedPaths',
    { deviceId: device.id, query: {} },
    { refetchIntervalMs: 5_000 },
  );
  const [initial, setInitial] = useState<Partial<VariableValues> | null>(null);
  const columns: readonly Column<UnmatchedPath & { id: string }>[] = [
    { head: words.path, cell: ({ path }) => path },
    { head: words.last, cell: ({ lastValue }) => readingText(lastValue, null) },
    { head: words.lastReceived, cell: ({ lastDateTime }) => <Timestamp at={lastDateTime} /> },
    { head: words.count, cell: ({ occurrences }) => countText(occurrences), isMinor: true },
    {
      head: strings.ui.actions,
      isHeadHidden: true,
      cell: (item) => (may('CreateVariable') ? <Make item={item} onMake={setInitial} /> : null),
    },
  ];
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {words.about}
      </Text>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={words.empty} icon={<IconCheck />}>
              {words.emptyHint}
            </Empty>
          ) : (
            <RecordTable
              label={strings.devices.tabs.unmatched}
              columns={columns}
              records={items.map((item) => ({ ...item, id: item.path }))}
            />
          )
        }
      </Loaded>
      <VariableCreation deviceId={device.id} initial={initial} onClose={() => setInitial(null)} />
    </>
  );
}

interface MakeProps {
  readonly item: UnmatchedPath;
  readonly onMake: (initial: Partial<VariableValues>) => void;
}

function Make({ item, onMake }: MakeProps) {
  const isTooShort = [...item.path].length < MIN_PATH;
  return (
    <Tooltip label={words.tooShort} disabled={!isTooShort} multiline w={260}>
      <Button
        size="xs"
        variant="light"
        data-disabled={isTooShort}
        aria-disabled={isTooShort}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => (isTooShort ? undefined : onMake(suggestionOf(item)))}
      >
        {words.create}
      </Button>
    </Tooltip>
  );
}
