import { ARCHIVED_SCOPES } from '@fieldwatch/contract';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconArchive, IconCopy, IconLayoutDashboard } from '../icons/index.ts';
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
  ArchivedScopeFilter,
  type Column,
  Empty,
  Filters,
  Listing,
  Page,
  pageOf,
  RecordTable,
  type RowAction,
  SearchField,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { useArchivedIds } from './archived.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { ConfirmArchive, useDuplicate, useRestore } from './lifecycle.tsx';

const words = strings.dashboards;

const parse = (raw: Raw) =>
  compact({
    search: textIn(raw.search),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
    page: pageIn(raw.page),
  });

function columnsOf(isArchived: (id: string) => boolean): readonly Column<ListedDashboard>[] {
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
  ];
}

function useDashboardActions(
  isArchived: (id: string) => boolean,
  onArchive: (dashboard: ListedDashboard) => void,
): (dashboard: ListedDashboard) => readonly RowAction[] {
  const duplicate = useDuplicate();
  const restore = useRestore();
  return (dashboard) =>
    isArchived(dashboard.id)
      ? [{ label: strings.ui.restore, act: () => void restore(dashboard.id) }]
      : [
          {
            label: words.view.duplicate,
            icon: <IconCopy size={16} />,
            act: () => void duplicate(dashboard.id),
          },
          {
            label: strings.ui.archive,
            icon: <IconArchive size={16} />,
            act: () => onArchive(dashboard),
          },
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
  const [archiving, setArchiving] = useState<ListedDashboard | null>(null);
  const actionsOf = useDashboardActions(isArchived, setArchiving);
  const add = mayWrite ? <AddButton label={words.add} onClick={() => setIsCreating(true)} /> : null;
  return (
    <Page title={words.title} actions={add}>
      <Filters>
        <SearchField
          label={words.search}
          value={search ?? ''}
          onChange={(next) => setFilters({ search: next })}
        />
        <ArchivedScopeFilter value={scope} onChange={(next) => setFilters({ scope: next })} />
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
            columns={columnsOf(isArchived)}
            records={items}
            actions={mayWrite ? { nameOf: ({ name }) => name, of: actionsOf } : undefined}
          />
        )}
      </Listing>
      {archiving ? (
        <ConfirmArchive dashboard={archiving} isOpen onClose={() => setArchiving(null)} />
      ) : null}
      <DashboardForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
