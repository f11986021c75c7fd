import { Box, Button, SegmentedControl, Select, Text } from '@mantine/core';
import { parseRange, type RangeChoice, RangePicker, useRange } from '../charts/index.ts';
import { IconHistory } from '../icons/index.ts';
import {
  type AuditEntry,
  compact,
  type ListPosition,
  oneIn,
  positionIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { operations, strings } from '../strings/index.ts';
import {
  type Column,
  type CsvColumn,
  Empty,
  Filters,
  ListCsv,
  ListTable,
  SavedViews,
  Timestamp,
  useList,
} from '../ui/index.ts';
import { AuditChanges, changesText } from './audit-changes.tsx';
import { AuditRecord } from './audit-record.tsx';
import { nameInChanges } from './audit-words.ts';

const words = strings.administration.audit;

/** The resource of sign-ins, which have a view of their own. */
const SIGN_INS = 'Session';
/** The resource of an entry about an operation that the actor had no permission for. */
const REFUSED = 'Operation';
const VIEWS = ['changes', 'signIns'] as const;
const KINDS = Object.entries(words.resources)
  .filter(([value]) => value !== SIGN_INS)
  .map(([value, label]) => ({ value, label }));
const PHRASES: Readonly<Record<string, string>> = operations;

interface AuditFilters extends RangeChoice, ListPosition {
  readonly view?: (typeof VIEWS)[number] | undefined;
  readonly resource?: string | undefined;
  /** The history of one record. */
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
}

function parse(raw: Raw): AuditFilters {
  return compact({
    ...parseRange(raw),
    ...positionIn(raw),
    view: oneIn(raw.view, VIEWS),
    resource: textIn(raw.resource),
    resourceId: textIn(raw.resourceId),
    actorId: textIn(raw.actorId),
  });
}

/** A common email address fits on one line; a very long one wraps. */
const WHO_WIDTH = 180;

const actorText = ({ actor }: AuditEntry) => (actor.kind === 'SYSTEM' ? words.system : actor.name);

const columns: readonly Column<AuditEntry>[] = [
  {
    head: words.operation,
    cell: (entry) => (
      <>
        {phraseOf(entry)}
        {hasRecord(entry) ? (
          <Text size="sm">
            <AuditRecord
              kind={entry.resource}
              id={entry.resourceId}
              fallback={nameInChanges(entry.changes)}
            />
          </Text>
        ) : null}
      </>
    ),
    value: phraseOf,
  },
  {
    head: words.actor,
    cell: (entry) => (
      <Box miw={WHO_WIDTH}>
        {actorText(entry)}
        <Text size="xs" c="dimmed">
          {entry.address}
        </Text>
      </Box>
    ),
    value: actorText,
  },
  {
    head: words.time,
    cell: ({ occurredDateTime }) => <Timestamp at={occurredDateTime} />,
    value: ({ occurredDateTime }) => occurredDateTime,
  },
  {
    head: words.changes,
    cell: (entry) => <AuditChanges entry={entry} />,
    value: changesText,
  },
];

const CSV: readonly CsvColumn<AuditEntry>[] = [
  { head: words.address, value: ({ address }) => address },
  { head: words.resource, value: ({ resource }) => resource },
  { head: words.resourceId, value: ({ resourceId }) => resourceId },
];

const hasRecord = ({ resource }: AuditEntry) =>
  resource !== REFUSED && resource !== SIGN_INS && resource !== 'Organization';

/** What was done, in words. An operation that no longer exists has none. */
function phraseOf({ operation, resource }: AuditEntry): string {
  const phrase = PHRASES[operation] ?? operation;
  return resource === REFUSED ? words.refused(phrase) : phrase;
}

/** The entries that match the filters; of one record all, and of all records those of a time range. */
function useEntries(
  filters: AuditFilters,
  range: { readonly startMs: number; readonly endMs: number },
  onChange: (change: Partial<AuditFilters>) => void,
) {
  const { view = 'changes', resource, resourceId, actorId } = filters;
  return useList({
    name: 'audit-log',
    operation: 'listAuditLog',
    inputOf: (paging) => ({
      query: {
        ...paging,
        category: view === 'signIns' ? ('SIGN_INS' as const) : ('CHANGES' as const),
        ...(resourceId ? { resourceId } : { startTime: range.startMs, endTime: range.endMs }),
        ...(resource ? { resource } : {}),
        ...(actorId ? { actorId } : {}),
      },
    }),
    columns,
    position: filters,
    onChange,
  });
}

/** The changes in the organization with actor, time and address; sign-ins are apart from them. */
export function AuditLog() {
  const [filters, setFilters] = useFilters(parse);
  const range = useRange(filters, 'week');
  const { resource, resourceId, actorId } = filters;
  const list = useEntries(filters, range, setFilters);
  return (
    <>
      <Filters>
        {resourceId ? (
          <RecordFilter filters={filters} onChange={setFilters} />
        ) : (
          <>
            <RangePicker choice={filters} range={range} fallback="week" onChange={setFilters} />
            <AuditFilterFields filters={filters} onChange={setFilters} />
          </>
        )}
        <SavedViews page={list.name} />
        <ListCsv list={list} more={CSV} />
      </Filters>
      <ListTable
        list={list}
        label={strings.administration.tabs['audit-log']}
        isFiltered={Boolean(resource ?? resourceId ?? actorId)}
        empty={<Empty title={words.empty} icon={<IconHistory />} />}
        isWide
      />
    </>
  );
}

/** The record whose history is shown, and a way back to all changes. */
function RecordFilter({ filters: { resource = '', resourceId = '' }, onChange }: FieldsProps) {
  return (
    <>
      <Text size="sm" fw={600}>
        {words.historyOf} <AuditRecord kind={resource} id={resourceId} />
      </Text>
      <Button
        variant="default"
        onClick={() => onChange({ resource: undefined, resourceId: undefined })}
      >
        {words.allChanges}
      </Button>
    </>
  );
}

interface FieldsProps {
  readonly filters: AuditFilters;
  readonly onChange: (change: Partial<AuditFilters>) => void;
}

function AuditFilterFields({ filters, onChange }: FieldsProps) {
  const { resource, view = 'changes' } = filters;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={words.view}
        value={view}
        onChange={(next) =>
          onChange({ view: next === 'signIns' ? next : undefined, resource: undefined })
        }
        data={VIEWS.map((value) => ({ value, label: words.views[value] }))}
      />
      <PersonFilter filters={filters} onChange={onChange} />
      {view === 'signIns' ? null : (
        <Select
          aria-label={words.resource}
          placeholder={words.allResources}
          data={KINDS}
          value={resource ?? null}
          onChange={(next) => onChange({ resource: next ?? undefined })}
          clearable
          searchable
        />
      )}
    </>
  );
}

/** The members of the organization, where the user may list them. */
function PersonFilter({ filters, onChange }: FieldsProps) {
  const { may } = useSession();
  const { data } = useRead(
    'listUsers',
    { query: { take: 1000 } },
    { enabled: may('ManageUsers'), staleMs: 60_000 },
  );
  if (!may('ManageUsers')) return null;
  return (
    <Select
      aria-label={words.person}
      placeholder={words.person}
      data={data?.items.map(({ id, name, email }) => ({ value: id, label: name || email })) ?? []}
      value={filters.actorId ?? null}
      onChange={(next) => onChange({ actorId: next ?? undefined })}
      clearable
      searchable
    />
  );
}
