import { PAGE_STATES } from '@fieldwatch/contract';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconSend } from '../icons/index.ts';
import {
  compact,
  oneIn,
  positionIn,
  type Raw,
  type Reply,
  useFilters,
  useWrite,
} from '../service/index.ts';
import { strings, pages as words } from '../strings/index.ts';
import {
  attempt,
  type Column,
  Empty,
  Filters,
  ListTable,
  Page,
  SavedViews,
  SeverityBadge,
  Timestamp,
  useList,
} from '../ui/index.ts';
import { AlarmTabs } from './alarm-tabs.tsx';
import { PageStateBadge } from './page-state.tsx';

type ListedPage = Reply<'listPages'>['items'][number];

const parse = (raw: Raw) => compact({ ...positionIn(raw), state: oneIn(raw.state, PAGE_STATES) });

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
  },
  { head: words.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { head: words.state, cell: ({ state }) => <PageStateBadge state={state} /> },
  {
    head: words.policy,
    cell: ({ policyName, isTest }) => (isTest ? words.test : policyName),
    isMinor: true,
  },
  { head: words.acknowledgedBy, cell: ({ acknowledgedBy }) => acknowledgedBy, isMinor: true },
  { head: words.started, cell: ({ createdDateTime }) => <Timestamp at={createdDateTime} /> },
];

/** Runs of escalation policies, newest first. */
export function PagesPage() {
  const [filters, setFilters] = useFilters(parse);
  const { state } = filters;
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
    <Page title={words.title} actions={<TestButton />}>
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
