import { ActionIcon, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { strings } from '../strings/index.ts';
import { countText } from './format.ts';
import { Empty, Loaded } from './states.tsx';

const TYPING_PAUSE_MS = 250;

export const PAGE_SIZE = 25;

/** The page that a list's address names, as what to ask for. */
export function pageOf(page: number | undefined): { skip: number; take: number } {
  return { skip: ((page ?? 1) - 1) * PAGE_SIZE, take: PAGE_SIZE };
}

interface SearchProps {
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

/** Filters as one types, after a pause. `/` jumps to it. */
export function SearchField({ value, label, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next);
  }, TYPING_PAUSE_MS);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    tell(next);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      data-shortcut-search
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => change('')}
            aria-label={strings.ui.clear}
          >
            <IconX size={14} />
          </ActionIcon>
        )
      }
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      style={{ flex: '1 1 220px', maxWidth: 420 }}
    />
  );
}

/** Search and filters of a list, side by side where there is room. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" wrap="wrap" role="search">
      {children}
    </Group>
  );
}

interface PagesProps {
  readonly count: number;
  readonly page: number;
  readonly onChange: (page: number) => void;
}

/** How many there are, and the way through them. */
function Pages({ count, page, onChange }: PagesProps) {
  const total = Math.ceil(count / PAGE_SIZE);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {strings.ui.countOf(countText(count), count)}
      </Text>
      {total > 1 ? (
        <Pagination
          total={total}
          value={page}
          onChange={onChange}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': strings.ui.pageControls[control] })}
          getItemProps={(item) => ({ 'aria-label': strings.ui.pageItem(item) })}
        />
      ) : null}
    </Group>
  );
}

interface ListingProps<T> {
  readonly query: UseQueryResult<{ count: number; items: T[] }, Error>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Whether there may be more behind the search and the filters. */
  readonly isFiltered: boolean;
  /** Stands where there are no records at all. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** One page of many records, or why there are none. */
export function Listing<T>({ query, page, onPage, isFiltered, empty, children }: ListingProps<T>) {
  return (
    <Loaded query={query}>
      {({ count, items }) => {
        if (count > 0) {
          return (
            <>
              {items.length > 0 ? children(items) : <Empty title={strings.ui.pastEnd} />}
              <Pages count={count} page={page} onChange={onPage} />
            </>
          );
        }
        return isFiltered ? (
          <Empty title={strings.ui.noMatch}>{strings.ui.noMatchHint}</Empty>
        ) : (
          empty
        );
      }}
    </Loaded>
  );
}
