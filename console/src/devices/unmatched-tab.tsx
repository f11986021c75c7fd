import type { VariableType } from '@fieldwatch/contract';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { IconCheck, IconPlus } from '../icons/index.ts';
import { type Device, type UnmatchedPath, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  countText,
  Empty,
  Loaded,
  type RowAction,
  readingText,
  SortedTable,
  Timestamp,
} from '../ui/index.ts';
import { useVariableCreator, VariableCreation, type VariableValues } from '../variables/index.ts';

const words = strings.devices.unmatched;
const MIN_PATH_LENGTH = 5;

/** Whether no Variable can have the path. */
function isTooShort(path: string): boolean {
  return [...path].length < MIN_PATH_LENGTH;
}

/** A path that a Variable can have, for a reading that the Device then sends below a key. */
function longerPath(path: string): string {
  return `values.${path}`;
}

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
    topicPropertyPath: isTooShort(path) ? longerPath(path) : path,
    name: name.length < 2 ? path : name,
    type: types[typeof lastValue] ?? 'STRING',
  };
}

const columns: readonly Column<UnmatchedPath & { id: string }>[] = [
  {
    head: words.path,
    cell: ({ path }) => <Path path={path} />,
    sortKey: 'PATH',
    value: ({ path }) => path,
  },
  { head: words.last, cell: ({ lastValue }) => readingText(lastValue, null) },
  {
    head: words.lastReceived,
    cell: ({ lastDateTime }) => <Timestamp at={lastDateTime} />,
    sortKey: 'LAST_RECEIVED',
    firstDirection: 'descending',
    value: ({ lastDateTime }) => lastDateTime,
  },
  {
    head: words.count,
    cell: ({ occurrences }) => countText(occurrences),
    sortKey: 'COUNT',
    firstDirection: 'descending',
    value: ({ occurrences }) => occurrences,
    isMinor: true,
  },
];

/** Received paths that match no Variable, with a button that creates one. */
export function UnmatchedTab({ device }: { device: Device }) {
  const { may } = useSession();
  const query = useRead(
    'listUnmatchedPaths',
    { deviceId: device.id, query: {} },
    { refetchIntervalMs: 5_000 },
  );
  const [initial, setInitial] = useState<Partial<VariableValues> | null>(null);
  const create = useVariableCreator(device.id);
  const actionsOf = (item: UnmatchedPath): readonly RowAction[] => [
    {
      label: words.create,
      act: () => setInitial(suggestionOf(item)),
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
            <SortedTable
              label={strings.devices.tabs.unmatched}
              columns={columns}
              records={items.map((item) => ({ ...item, id: item.path }))}
              actions={
                may('CreateVariable') ? { nameOf: ({ path }) => path, of: actionsOf } : undefined
              }
              bulk={{
                scope: device.id,
                nameOf: ({ path }) => path,
                many: words.many,
                actions: may('CreateVariable')
                  ? [
                      {
                        label: words.createMany,
                        icon: <IconPlus size={16} aria-hidden />,
                        appliesTo: ({ path }) => !isTooShort(path),
                        run: (item) => create(suggestionOf(item)),
                      },
                    ]
                  : [],
              }}
            />
          )
        }
      </Loaded>
      <VariableCreation deviceId={device.id} initial={initial} onClose={() => setInitial(null)} />
    </>
  );
}

/** A path, with the reason and the way out when no Variable can have it. */
function Path({ path }: { path: string }) {
  if (!isTooShort(path)) return path;
  return (
    <>
      {path}
      <Text size="xs" c="dimmed" maw={420}>
        {words.tooShort(longerPath(path), `{"values": {"${path}": …}}`)}
      </Text>
    </>
  );
}
