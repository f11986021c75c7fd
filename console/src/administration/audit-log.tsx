import { Box, Code, Select, Text } from '@mantine/core';
import { parseRange, type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import { IconHistory } from '../icons/index.ts';
import {
  type AuditEntry,
  compact,
  pageIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../service/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordTable,
  Timestamp,
} from '../ui/index.ts';

const words = strings.administration.audit;

const RESOURCES = Object.entries(words.resources).map(([value, label]) => ({ value, label }));
const PHRASES: Readonly<Record<string, string>> = strings.operations;

interface AuditFilters extends RangeChoice {
  readonly resource?: string | undefined;
  readonly page?: number | undefined;
}

function parse(raw: Raw): AuditFilters {
  return compact({ ...parseRange(raw), resource: textIn(raw.resource), page: pageIn(raw.page) });
}

/** The resource of an entry about an operation that the actor had no permission for. */
const REFUSED = 'Operation';
/** A common email address fits on one line; a very long one wraps. */
const WHO_WIDTH = 180;

const columns: readonly Column<AuditEntry>[] = [
  { head: words.time, cell: ({ occurredDateTime }) => <Timestamp at={occurredDateTime} /> },
  {
    head: words.actor,
    cell: ({ actor, address }) => (
      <Box miw={WHO_WIDTH}>
        {actor.kind === 'SYSTEM' ? words.system : actor.name}
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      </Box>
    ),
  },
  {
    head: words.operation,
    width: 250,
    cell: (entry) => (
      <>
        {phraseOf(entry)}
        <Text size="xs" c="dimmed">
          {entry.resource === REFUSED ? null : entry.resourceId}
        </Text>
      </>
    ),
  },
  { head: words.changes, cell: ({ changes }) => <Changes changes={changes} />, isMinor: true },
];

/** What was done, in words. An operation that no longer exists has none. */
function phraseOf({ operation, resource }: AuditEntry): string {
  const phrase = PHRASES[operation] ?? operation;
  return resource === REFUSED ? words.refused(phrase) : phrase;
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  if (changes.length === 0) return <>{words.none}</>;
  return (
    <>
      {changes.map(({ field, from, to }) => (
        <Text key={field} size="xs">
          {field}: <Code>{textOf(from)}</Code> → <Code>{textOf(to)}</Code>
        </Text>
      ))}
    </>
  );
}

const MAX_TEXT_LENGTH = 80;

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? words.none);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** The changes in the organization with actor, time and address. */
export function AuditLog() {
  const [filters, setFilters] = useFilters(parse);
  const range = useRange(filters, 'week');
  const { resource, page = 1 } = filters;
  const query = useRead(
    'listAuditLog',
    {
      query: {
        startTime: range.startMs,
        endTime: range.endMs,
        ...pageOf(page),
        ...(resource ? { resource } : {}),
      },
    },
    { keepsPrevious: true },
  );
  return (
    <>
      <Filters>
        <RangePicker choice={filters} range={range} fallback="week" onChange={setFilters} />
        <Select
          aria-label={words.resource}
          placeholder={words.allResources}
          data={RESOURCES}
          value={resource ?? null}
          onChange={(next) => setFilters({ resource: next ?? undefined })}
          clearable
          searchable
        />
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={false}
        empty={<Empty title={words.empty} icon={<IconHistory />} />}
      >
        {(items) => (
          <RecordTable
            label={strings.administration.tabs['audit-log']}
            columns={columns}
            records={items}
          />
        )}
      </Listing>
    </>
  );
}
