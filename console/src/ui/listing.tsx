import { ActionIcon, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconSearch, IconX } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import type { ListPage } from './csv.ts';
import { countText } from './format.ts';
import { Empty, Loaded } from './states.tsx';

const TYPING_PAUSE_MS = 250;

const PAGE_SIZE = 25;

/** The paging parameters of the page in a list's URL. */
export function pageOf(page: number | undefined): { skip: number; take: number } {
  return { skip: ((page ?? 1) - 1) * PAGE_SIZE, take: PAGE_SIZE };
}

interface SearchProps {
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

/** Filters while the user types, after a pause. The `/` key focuses the field. */
export function SearchField({ value, label, onChange }: SearchProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useDebouncedCallback((next: string) => {
    reported.current = next;
    onChange(next);
  }, TYPING_PAUSE_MS);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    report(next);
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

/** The width of a filter. Two are beside each other on a phone. */
export function filterWidth(px: number) {
  return { base: 'calc((100% - var(--mantine-spacing-xs)) / 2)', xs: px };
}

/** The search field and filters of a list. */
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
  readonly countOf?: CountOf | undefined;
  readonly isWhole?: boolean | undefined;
}

/** How many there are, in words. */
type CountOf = (text: string, count: number) => string;

/** The number of records and the page controls. */
function Pages({ count, page, onChange, countOf = strings.ui.countOf, isWhole }: PagesProps) {
  const total = Math.ceil(count / PAGE_SIZE);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {countOf(countText(count), count)}
      </Text>
      {total > 1 && !isWhole ? (
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
  readonly query: UseQueryResult<ListPage<T>, Error>;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Whether a search or a filter is set, so that an empty result is not an empty list. */
  readonly isFiltered: boolean;
  /** Shown when no records exist at all. */
  readonly empty: ReactNode;
  /** The number of records in words, where their kind is not clear from the page. */
  readonly countOf?: CountOf;
  /** Whether the page has all records, however many they are. */
  readonly isWhole?: boolean;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** One page of records, or an empty state. */
export function Listing<T>(props: ListingProps<T>) {
  const { query, page, onPage, isFiltered, empty, countOf, isWhole, children } = props;
  return (
    <Loaded query={query}>
      {({ count, items }) => {
        if (count > 0) {
          return (
            <>
              {items.length > 0 ? children(items) : <Empty title={strings.ui.pastEnd} />}
              <Pages {...{ count, page, countOf, isWhole }} onChange={onPage} />
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
