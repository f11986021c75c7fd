import type { MaintenanceWindow } from '@fieldwatch/contract';
import { SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconCheck, IconPencil, IconTool, IconTrash } from '../icons/index.ts';
import {
  EndDialog,
  ScopeNames,
  severitiesText,
  WindowForm,
  WindowMode,
  WindowState,
  WindowTimes,
} from '../maintenance/index.ts';
import {
  compact,
  oneIn,
  positionIn,
  type Raw,
  textIn,
  useCall,
  useFilters,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings, maintenance as words } from '../strings/index.ts';
import {
  AddButton,
  type BulkAction,
  type Column,
  ConfirmOperation,
  Empty,
  Filters,
  ListCsv,
  ListTable,
  Page,
  RecordDialog,
  type RowAction,
  SavedViews,
  SearchField,
  useBulkActions,
  useList,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';

const MAX_NAMES = 2;

/** In the order of interest. */
const STATES = [
  'ACTIVE',
  'SCHEDULED',
  'ENDED',
] as const satisfies readonly MaintenanceWindow['state'][];

const parse = (raw: Raw) =>
  compact({
    ...positionIn(raw),
    search: textIn(raw.search),
    state: oneIn(raw.state, STATES),
  });

const columns: readonly Column<MaintenanceWindow>[] = [
  {
    head: words.reason,
    cell: ({ id, reason }) => (
      <Link to={`/alarms/maintenance/${id}`} className="linked">
        {reason}
      </Link>
    ),
    sortKey: 'REASON',
    value: ({ reason }) => reason,
  },
  {
    head: words.state,
    cell: ({ state }) => <WindowState state={state} />,
    sortKey: 'STATE',
    value: ({ state }) => words.states[state],
    rank: ({ state }) => STATES.indexOf(state),
    width: 110,
  },
  {
    head: words.scope,
    cell: (window) => (
      <>
        <ScopeNames scope={window.scope} max={MAX_NAMES} />
        {window.severities.length > 0 ? (
          <Text size="xs" c="dimmed">
            {words.onlySeverities(severitiesText(window))}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    head: words.when,
    cell: (window) => <WindowTimes window={window} />,
    sortKey: 'WHEN',
    value: ({ current, from }) => current?.from ?? from,
  },
  {
    head: words.mode,
    cell: ({ mode }) => <WindowMode mode={mode} />,
    sortKey: 'MODE',
    value: ({ mode }) => words.modes[mode],
    width: 100,
  },
  {
    head: words.createdBy,
    cell: ({ createdBy }) => createdBy,
    sortKey: 'CREATED_BY',
    value: ({ createdBy }) => createdBy,
    isMinor: true,
  },
];

/** Ending and deletion of selected windows, for those who may. */
function useBulk(): readonly BulkAction<MaintenanceWindow>[] {
  const { may } = useSession();
  const call = useCall();
  const { deletion } = useBulkActions();
  if (!may('ManageMaintenance')) return [];
  return [
    {
      label: words.end,
      icon: <IconCheck size={16} aria-hidden />,
      appliesTo: ({ state }) => state === 'ACTIVE',
      effect: words.removeText,
      run: ({ id }) => call('endMaintenanceWindow', { maintenanceWindowId: id }),
    },
    deletion({
      operation: 'deleteMaintenanceWindow',
      inputOf: ({ id }: MaintenanceWindow) => ({ maintenanceWindowId: id }),
      effect: words.removeText,
    }),
  ];
}

/** Windows in which notifications are held back: in progress, upcoming and past ones. */
export function MaintenancePage() {
  const { may } = useSession();
  const [filters, setFilters] = useFilters(parse);
  const { search = '', state } = filters;
  const [editing, setEditing] = useState<MaintenanceWindow | 'new' | null>(null);
  const dialogs = useRowDialogs(setEditing);
  const bulk = useBulk();
  const query = { ...(search ? { search } : {}), ...(state ? { state } : {}) };
  const list = useList({
    name: 'maintenance',
    operation: 'listMaintenanceWindows',
    inputOf: (paging) => ({ query: { ...paging, ...query } }),
    columns,
    position: filters,
    initialSort: 'STATE',
    onChange: setFilters,
    refetchIntervalMs: 15_000,
  });
  const add = <AddButton label={words.plan} onClick={() => setEditing('new')} />;
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ListCsv list={list} />
          {may('ManageMaintenance') ? add : null}
        </>
      }
    >
      <AlarmTabs />
      <Filters>
        <SearchField
          label={words.search}
          value={search}
          onChange={(next) => setFilters({ search: next })}
        />
        <StateFilter value={state} onChange={(next) => setFilters({ state: next })} />
        <SavedViews page={list.name} />
      </Filters>
      <ListTable
        list={list}
        label={words.title}
        isFiltered={search !== '' || state !== undefined}
        actions={{ nameOf: ({ reason }) => reason, of: dialogs.actionsOf }}
        hrefOf={({ id }) => `/alarms/maintenance/${id}`}
        bulk={{ nameOf: ({ reason }) => reason, many: words.many, actions: bulk }}
        empty={
          <Empty title={words.empty} icon={<IconTool />}>
            {words.emptyHint}
          </Empty>
        }
        isWide
      />
      <RecordDialog words={words} editing={editing} onClose={() => setEditing(null)}>
        {(window) => <WindowForm window={window} onClose={() => setEditing(null)} />}
      </RecordDialog>
      {dialogs.open}
    </Page>
  );
}

type State = MaintenanceWindow['state'];

interface StateProps {
  readonly value: State | undefined;
  readonly onChange: (state: State | undefined) => void;
}

function StateFilter({ value, onChange }: StateProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.state}
      value={value ?? ''}
      onChange={(next) => onChange(oneIn(next, STATES))}
      data={[
        { value: '', label: strings.ui.all },
        ...STATES.map((state) => ({
          value: state,
          label: words.states[state],
        })),
      ]}
    />
  );
}

/** The actions of a row, with the dialogs that they open. */
function useRowDialogs(onEdit: (window: MaintenanceWindow) => void) {
  const { may } = useSession();
  const [ending, setEnding] = useState<MaintenanceWindow | null>(null);
  const [deleting, setDeleting] = useState<MaintenanceWindow | null>(null);
  const actionsOf = (window: MaintenanceWindow): readonly RowAction[] => {
    if (!may('ManageMaintenance')) return [];
    const end = { label: words.end, act: () => setEnding(window) };
    const edit = {
      label: strings.ui.edit,
      icon: <IconPencil size={16} />,
      act: () => onEdit(window),
    };
    const remove = {
      label: strings.ui.remove,
      icon: <IconTrash size={16} />,
      isDestructive: true,
      act: () => setDeleting(window),
    };
    return [...(window.state === 'ACTIVE' ? [end] : []), edit, remove];
  };
  const open = (
    <>
      <EndDialog window={ending} onClose={() => setEnding(null)} />
      {deleting ? (
        <ConfirmOperation
          operation="deleteMaintenanceWindow"
          input={{ maintenanceWindowId: deleting.id }}
          name={deleting.reason}
          action={strings.ui.remove}
          done={strings.ui.deleted}
          isOpen
          onClose={() => setDeleting(null)}
        >
          {words.removeText}
        </ConfirmOperation>
      ) : null}
    </>
  );
  return { actionsOf, open };
}
