import { ARCHIVED_SCOPES } from '@fieldwatch/contract';
import { Group, SegmentedControl } from '@mantine/core';
import { IconLayoutDashboard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  compact,
  type ListedDashboard,
  oneIn,
  pageIn,
  type Raw,
  textIn,
  useFilters,
  useRead,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  ArchivedBadge,
  type Column,
  Empty,
  Filters,
  Listing,
  Page,
  pageOf,
  RecordTable,
  SearchField,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { useArchivedIds } from './archived.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { RestoreArchived } from './restore-archived.tsx';
import { RowActions } from './row-actions.tsx';

const words = strings.dashboards;

const parse = (raw: Raw) =>
  compact({
    search: textIn(raw.search),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    page: pageIn(raw.page),
  });

interface Rows {
  readonly mayWrite: boolean;
  readonly isArchived: (id: string) => boolean;
}

function columnsOf({ mayWrite, isArchived }: Rows): readonly Column<ListedDashboard>[] {
  return [
    {
      head: strings.ui.name,
      cell: ({ id, name }) => (
        <Group gap="xs">
          <Link to={`/dashboards/${id}`} className="linked">
            {name}
          </Link>
          {isArchived(id) ? <ArchivedBadge /> : null}
        </Group>
      ),
    },
    {
      head: words.visibility,
      cell: ({ isPublic }) => (
        <StateBadge tone={isPublic ? 'low' : 'plain'}>
          {isPublic ? words.public : words.private}
        </StateBadge>
      ),
    },
    { head: strings.ui.updated, cell: ({ updatedDateTime }) => <Timestamp at={updatedDateTime} /> },
    ...(mayWrite
      ? [
          {
            head: strings.ui.actions,
            isHeadHidden: true,
            cell: (dashboard: ListedDashboard) =>
              isArchived(dashboard.id) ? (
                <RestoreArchived id={dashboard.id} />
              ) : (
                <RowActions dashboard={dashboard} />
              ),
          },
        ]
      : []),
  ];
}

export function DashboardsPage() {
  const { may } = useSession();
  const [{ search, scope = 'active', page = 1 }, setFilters] = useFilters(parse);
  const [isCreating, setIsCreating] = useState(false);
  const query = useRead(
    'listDashboards',
    { query: { archivedScope: scope, ...pageOf(page), ...(search ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const isFiltered = Boolean(search) || scope !== 'active';
  const mayWrite = may('WriteDashboards');
  const archivedIds = useArchivedIds(scope === 'all');
  const isArchived = (id: string) => scope === 'archived' || archivedIds.has(id);
  const add = mayWrite ? <AddButton label={words.add} onClick={() => setIsCreating(true)} /> : null;
  return (
    <Page title={words.title} actions={add}>
      <Filters>
        <SearchField
          label={words.search}
          value={search ?? ''}
          onChange={(next) => setFilters({ search: next })}
        />
        <SegmentedControl
          size="xs"
          aria-label={words.scope.label}
          value={scope}
          onChange={(next) =>
            setFilters({ scope: next === 'active' ? undefined : oneIn(next, ARCHIVED_SCOPES) })
          }
          data={ARCHIVED_SCOPES.map((value) => ({ value, label: words.scope[value] }))}
        />
      </Filters>
      <Listing
        query={query}
        page={page}
        onPage={(next) => setFilters({ page: next })}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.empty} icon={<IconLayoutDashboard />} action={add}>
            {words.emptyHint}
          </Empty>
        }
      >
        {(items) => (
          <RecordTable
            label={words.title}
            columns={columnsOf({ mayWrite, isArchived })}
            records={items}
          />
        )}
      </Listing>
      <DashboardForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
