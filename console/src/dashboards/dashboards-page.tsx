import { ARCHIVED_SCOPES } from '@fieldwatch/contract';
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconArchive, IconCopy, IconLayoutDashboard, IconRestore } from '../icons/index.ts';
import {
  compact,
  type ListedDashboard,
  oneIn,
  positionIn,
  type Raw,
  textIn,
  useCall,
  useFilters,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import {
  AddButton,
  ArchivedBadge,
  ArchivedScopeFilter,
  type BulkAction,
  type Column,
  Empty,
  Filters,
  ListCsv,
  ListTable,
  Page,
  type RowAction,
  SavedViews,
  SearchField,
  StateBadge,
  Timestamp,
  useList,
} from '../ui/index.ts';
import { useArchivedIds } from './archived.ts';
import { DashboardForm } from './dashboard-form.tsx';
import { ConfirmArchive, useDuplicate, useRestore } from './lifecycle.tsx';

const words = strings.dashboards;

const parse = (raw: Raw) =>
  compact({
    ...positionIn(raw),
    search: textIn(raw.search),
    scope: oneIn(raw.scope, ARCHIVED_SCOPES),
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
      sortKey: 'NAME',
      value: ({ name }) => name,
    },
    {
      head: words.visibility,
      cell: ({ isPublic }) => (
        <StateBadge tone={isPublic ? 'low' : 'plain'}>
          {isPublic ? words.public : words.private}
        </StateBadge>
      ),
      sortKey: 'VISIBILITY',
      value: ({ isPublic }) => (isPublic ? words.public : words.private),
    },
    {
      head: strings.ui.updated,
      cell: ({ updatedDateTime }) => <Timestamp at={updatedDateTime} />,
      sortKey: 'UPDATED',
      firstDirection: 'descending',
      value: ({ updatedDateTime }) => updatedDateTime,
    },
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

function useBulk(isArchived: (id: string) => boolean): readonly BulkAction<ListedDashboard>[] {
  const call = useCall();
  return [
    {
      label: strings.ui.archive,
      icon: <IconArchive size={16} aria-hidden />,
      appliesTo: ({ id }) => !isArchived(id),
      effect: words.archiveText,
      run: ({ id }) => call('archiveDashboard', { dashboardId: id }),
    },
    {
      label: strings.ui.restore,
      icon: <IconRestore size={16} aria-hidden />,
      appliesTo: ({ id }) => isArchived(id),
      run: ({ id }) => call('restoreDashboard', { dashboardId: id }),
    },
  ];
}

export function DashboardsPage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search, scope = 'active' } = filters;
  const [isCreating, setIsCreating] = useState(false);
  const isFiltered = Boolean(search) || scope !== 'active';
  const mayWrite = may('WriteDashboards');
  const archivedIds = useArchivedIds(scope === 'all');
  const isArchived = (id: string) => scope === 'archived' || archivedIds.has(id);
  const list = useList({
    name: 'dashboards',
    operation: 'listDashboards',
    inputOf: (paging) => ({
      query: { archivedScope: scope, ...paging, ...(search ? { search } : {}) },
    }),
    columns: columnsOf(isArchived),
    position: filters,
    onChange: setFilters,
  });
  const [archiving, setArchiving] = useState<ListedDashboard | null>(null);
  const bulk = useBulk(isArchived);
  const actionsOf = useDashboardActions(isArchived, setArchiving);
  const add = mayWrite ? <AddButton label={words.add} onClick={() => setIsCreating(true)} /> : null;
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ListCsv list={list} />
          {add}
        </>
      }
    >
      <Filters>
        <SearchField
          label={words.search}
          value={search ?? ''}
          onChange={(next) => setFilters({ search: next })}
        />
        <ArchivedScopeFilter value={scope} onChange={(next) => setFilters({ scope: next })} />
        <SavedViews page="dashboards" />
      </Filters>
      <ListTable
        list={list}
        label={words.title}
        isFiltered={isFiltered}
        empty={
          <Empty title={words.empty} icon={<IconLayoutDashboard />} action={add}>
            {words.emptyHint}
          </Empty>
        }
        hrefOf={({ id }) => `/dashboards/${id}`}
        actions={mayWrite ? { nameOf: ({ name }) => name, of: actionsOf } : undefined}
        bulk={{ nameOf: ({ name }) => name, many: words.title, actions: mayWrite ? bulk : [] }}
      />
      {archiving ? (
        <ConfirmArchive dashboard={archiving} isOpen onClose={() => setArchiving(null)} />
      ) : null}
      <DashboardForm editing={isCreating ? 'new' : null} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
