import { Box, SegmentedControl, Select, Text } from '@mantine/core';
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
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  type Column,
  Empty,
  Filters,
  Listing,
  pageOf,
  RecordTable,
  SavedViews,
  Timestamp,
} from '../ui/index.ts';
import { AuditChanges } from './audit-changes.tsx';
import { AuditRecord } from './audit-record.tsx';
import { nameInChanges } from './audit-words.ts';

const words = strings.administration.audit;

/** The resource of sign-ins, which have a view of their own. */
const SIGN_INS = 'Session';
/** The resource of an entry about an operation that the actor had no permission for. */
const REFUSED = 'Operation';
const KINDS = Object.entries(words.resources)
  .filter(([value]) => value !== SIGN_INS)
  .map(([value, label]) => ({ value, label }));
const PHRASES: Readonly<Record<string, string>> = strings.operations;

interface AuditFilters extends RangeChoice {
  readonly resource?: string | undefined;
  /** The history of one record. */
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
  readonly page?: number | undefined;
}

function parse(raw: Raw): AuditFilters {
  return compact({
    ...parseRange(raw),
    resource: textIn(raw.resource),
    resourceId: textIn(raw.resourceId),
    actorId: textIn(raw.actorId),
    page: pageIn(raw.page),
  });
}

/** A common email address fits on one line; a very long one wraps. */
const WHO_WIDTH = 180;

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
  },
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
  { head: words.time, cell: ({ occurredDateTime }) => <Timestamp at={occurredDateTime} /> },
  { head: words.changes, cell: (entry) => <AuditChanges entry={entry} /> },
];

const signInColumns = columns.filter(({ head }) => head !== words.changes);

const hasRecord = ({ resource }: AuditEntry) =>
  resource !== REFUSED && resource !== SIGN_INS && resource !== 'Organization';

/** What was done, in words. An operation that no longer exists has none. */
function phraseOf({ operation, resource }: AuditEntry): string {
  const phrase = PHRASES[operation] ?? operation;
  return resource === REFUSED ? words.refused(phrase) : phrase;
}

/** The changes in the organization with actor, time and address. */
export function AuditLog() {
  const [filters, setFilters] = useFilters(parse);
  const range = useRange(filters, 'week');
  const { page = 1, ...chosen } = filters;
  const { resource, resourceId, actorId } = chosen;
  const query = useRead(
    'listAuditLog',
    {
      query: {
        startTime: range.startMs,
        endTime: range.endMs,
        ...pageOf(page),
        ...(resource ? { resource } : {}),
        ...(resourceId ? { resourceId } : {}),
        ...(actorId ? { actorId } : {}),
      },
    },
    { keepsPrevious: true },
  );
  return (
    <>
      <Filters>
        <RangePicker choice={filters} range={range} fallback="week" onChange={setFilters} />
        <AuditFilterFields filters={filters} onChange={setFilters} />
        <SavedViews page="audit-log" />
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={Boolean(resource ?? resourceId ?? actorId)}
        empty={<Empty title={words.empty} icon={<IconHistory />} />}
      >
        {(items) => (
          <RecordTable
            label={strings.administration.tabs['audit-log']}
            columns={resource === SIGN_INS ? signInColumns : columns}
            records={items}
            columnsKey="audit-log"
            isWide
          />
        )}
      </Listing>
    </>
  );
}

interface FieldsProps {
  readonly filters: AuditFilters;
  readonly onChange: (change: Partial<AuditFilters>) => void;
}

function AuditFilterFields({ filters, onChange }: FieldsProps) {
  const { resource, resourceId } = filters;
  const isSignIns = resource === SIGN_INS;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={words.view}
        value={isSignIns ? 'signIns' : 'changes'}
        onChange={(next) =>
          onChange({
            resource: next === 'signIns' ? SIGN_INS : undefined,
            resourceId: undefined,
          })
        }
        data={[
          { value: 'changes', label: words.views.changes },
          { value: 'signIns', label: words.views.signIns },
        ]}
      />
      <PersonFilter filters={filters} onChange={onChange} />
      {isSignIns ? null : (
        <Select
          aria-label={words.resource}
          placeholder={words.allResources}
          data={KINDS}
          value={resource ?? null}
          onChange={(next) => onChange({ resource: next ?? undefined, resourceId: undefined })}
          clearable
          searchable
        />
      )}
      {resource && resourceId ? (
        <Text size="sm">
          {words.historyOf} <AuditRecord kind={resource} id={resourceId} />
        </Text>
      ) : null}
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
  if (!data) return null;
  return (
    <Select
      aria-label={words.person}
      placeholder={words.person}
      data={data.items.map(({ id, name, email }) => ({ value: id, label: name || email }))}
      value={filters.actorId ?? null}
      onChange={(next) => onChange({ actorId: next ?? undefined })}
      clearable
      searchable
    />
  );
}
