import { PAGE_STATES, SEVERITIES } from '@fieldwatch/contract';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconCheck, IconCircleCheck, IconSend } from '../icons/index.ts';
import {
  compact,
  oneIn,
  positionIn,
  type Raw,
  type Reply,
  useCall,
  useFilters,
  useWrite,
} from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings, pages as words } from '../strings/index.ts';
import {
  attempt,
  type BulkAction,
  type Column,
  createdColumn,
  Empty,
  Filters,
  ListCsv,
  ListTable,
  Page,
  SavedViews,
  SeverityBadge,
  useList,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import { PageStateBadge } from './page-state.tsx';

type ListedPage = Reply<'listPages'>['items'][number];

const parse = (raw: Raw) => compact({ ...positionIn(raw), state: oneIn(raw.state, PAGE_STATES) });

const policyOf = ({ policyName, isTest }: ListedPage) => (isTest ? words.test : policyName);

const columns: readonly Column<ListedPage>[] = [
  {
    head: words.page,
    cell: ({ id, title, chatterCount }) => (
      <>
        <Link to={`/alarms/pages/${id}`} className="linked">
          {title}
        </Link>
        {chatterCount > 0 ? (
          <Text size="xs" c="dimmed">
            {words.chattering(chatterCount)}
          </Text>
        ) : null}
      </>
    ),
    sortKey: 'TITLE',
    value: ({ title }) => title,
  },
  {
    head: words.severity,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    sortKey: 'SEVERITY',
    firstDirection: 'descending',
    value: ({ severity }) => strings.severities[severity],
    rank: ({ severity }) => SEVERITIES.indexOf(severity),
  },
  {
    head: words.state,
    cell: ({ state }) => <PageStateBadge state={state} />,
    sortKey: 'STATE',
    value: ({ state }) => words.states[state],
    rank: ({ state }) => PAGE_STATES.indexOf(state),
  },
  {
    head: words.policy,
    cell: policyOf,
    sortKey: 'POLICY',
    value: policyOf,
    isMinor: true,
  },
  {
    head: words.acknowledgedBy,
    cell: ({ acknowledgedBy }) => acknowledgedBy,
    sortKey: 'ACKNOWLEDGED_BY',
    value: ({ acknowledgedBy }) => acknowledgedBy,
    isMinor: true,
  },
  { ...createdColumn, head: words.started, isOptional: false, isMinor: false },
];

/** Acknowledging and resolving of selected pages, for those who may. */
function useBulk() {
  const { may } = useSession();
  const call = useCall();
  const actions: readonly BulkAction<ListedPage>[] = [
    {
      label: words.acknowledge,
      icon: <IconCheck size={16} aria-hidden />,
      appliesTo: ({ state }) => state !== 'RESOLVED' && state !== 'ACKNOWLEDGED',
      run: ({ id }) => call('acknowledgePage', { pageId: id }),
    },
    {
      label: words.resolve,
      icon: <IconCircleCheck size={16} aria-hidden />,
      appliesTo: ({ state }) => state !== 'RESOLVED',
      run: ({ id }) => call('resolvePage', { pageId: id }),
    },
  ];
  return {
    nameOf: ({ title }: ListedPage) => title,
    many: words.many,
    actions: may('AcknowledgeAlarmEvents') ? actions : [],
  };
}

/** Runs of escalation policies, newest first. */
export function PagesPage() {
  const [filters, setFilters] = useFilters(parse);
  const { state } = filters;
  const bulk = useBulk();
  const list = useList({
    name: 'pages',
    operation: 'listPages',
    inputOf: (paging) => ({ query: { ...paging, ...(state ? { states: [state] } : {}) } }),
    columns,
    position: filters,
    onChange: setFilters,
    refetchIntervalMs: 10_000,
  });
  return (
    <Page
      title={words.title}
      actions={
        <>
          <ListCsv list={list} />
          <TestButton />
        </>
      }
    >
      <AlarmTabs />
      <Filters>
        <SegmentedControl
          size="xs"
          aria-label={words.state}
          value={state ?? ''}
          onChange={(next) => setFilters({ state: oneIn(next, PAGE_STATES) })}
          data={[
            { value: '', label: strings.ui.all },
            ...PAGE_STATES.map((value) => ({ value, label: words.states[value] })),
          ]}
        />
        <SavedViews page={list.name} />
      </Filters>
      <ListTable
        list={list}
        label={words.title}
        isFiltered={state !== undefined}
        empty={
          <Empty title={words.empty} icon={<IconSend />}>
            {words.emptyHint}
          </Empty>
        }
        hrefOf={({ id }) => `/alarms/pages/${id}`}
        bulk={bulk}
        isWide
      />
    </Page>
  );
}

/** Pages oneself, so that people see beforehand how a page reaches them. */
function TestButton() {
  const navigate = useNavigate();
  const test = useWrite('createTestPage');
  const start = async () => {
    const started = test.mutateAsync({});
    if (!(await attempt(started, words.testSent))) return;
    void navigate({ to: `/alarms/pages/${(await started).id}` });
  };
  return (
    <Button variant="default" loading={test.isPending} onClick={() => void start()}>
      {words.sendTest}
    </Button>
  );
}
