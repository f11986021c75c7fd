import { Alert, Button, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type RefObject, useRef, useState } from 'react';
import { AlertSettings } from '../../alarm-alerts/index.ts';
import { isUnacknowledged, useActiveEvents, useUnits } from '../../alarm-events/index.ts';
import { IconBellRinging, IconCircleCheck } from '../../icons/index.ts';
import { useLatestOfMany } from '../../live/index.ts';
import { type AlarmEvent, useFilters } from '../../service/index.ts';
import { useSession } from '../../session/index.ts';
import { strings } from '../../strings/index.ts';
import { countText, Empty, Loaded, Loading, Page, useSelection } from '../../ui/index.ts';
import { AlarmTabs } from '../alarm-tabs.tsx';
import { AlarmDialogs, type Asking } from './dialogs.tsx';
import { type Facts, useFacts } from './facts.ts';
import { type AlarmFilters, filterCount, parseFilters } from './filters.ts';
import { useAlarmKeys } from './keys.ts';
import classes from './list.module.css';
import { AlarmList } from './list.tsx';
import type { AlarmAction } from './row.tsx';
import { Toolbar } from './toolbar.tsx';
import { useWorkList, type WorkList } from './work-list.ts';

const words = strings.activeAlarms;

export function ActiveAlarmsPage() {
  const { query, events = [] } = useActiveEvents();
  const { factsOf, isLoading } = useFacts();
  const count = query.data?.count ?? 0;
  return (
    <Page title={strings.alarms.titles.active} actions={<AlertSettings />}>
      <AlarmTabs />
      <Loaded query={query}>
        {() =>
          isLoading ? <Loading /> : <ActiveAlarms events={events} count={count} factsOf={factsOf} />
        }
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly events: readonly AlarmEvent[];
  /** How many alarms are active in all. */
  readonly count: number;
}

interface ActiveProps extends Props {
  readonly factsOf: Facts['factsOf'];
}

function ActiveAlarms({ events, count, factsOf }: ActiveProps) {
  const [filters, setFilters] = useFilters(parseFilters);
  const list = useRef<HTMLDivElement>(null);
  const work = useWorkList(events, filters, list, factsOf);
  const variableIds = events.map(({ deviceVariableId }) => deviceVariableId);
  const units = useUnits(variableIds);
  useLatestOfMany(variableIds);
  if (events.length === 0 && work.rows.length === 0) {
    return (
      <Empty title={words.none} icon={<IconCircleCheck />}>
        {words.noneHint}
      </Empty>
    );
  }
  return (
    <>
      <Toolbar filters={filters} onChange={setFilters} sites={work.sites} devices={work.devices} />
      {count > events.length ? <CutNotice events={events} count={count} /> : null}
      <CountLine {...{ events, count, work, filters }} onChange={setFilters} />
      <WorkSurface filters={filters} work={work} list={list} units={units} />
      {work.rows.length === 0 ? (
        <Empty
          title={words.noMatch}
          action={
            <Button variant="default" onClick={() => setFilters(NO_FILTERS)}>
              {words.showAll}
            </Button>
          }
        />
      ) : null}
    </>
  );
}

const NO_FILTERS: AlarmFilters = {
  search: undefined,
  severities: undefined,
  sites: undefined,
  devices: undefined,
  acknowledgement: undefined,
  assigned: undefined,
  shelved: 'INCLUDED',
};

/** The order by severity is that of the listed alarms: a worse one may be among the others. */
function CutNotice({ events, count }: Props) {
  return (
    <Alert color="yellow" variant="light" role="status" mb="xs" py="xs">
      {words.cut(countText(events.length), countText(count))}{' '}
      <Link to="/alarms/history" className="linked">
        {words.cutLink}
      </Link>
      .
    </Alert>
  );
}

interface CountProps extends Props {
  readonly filters: AlarmFilters;
  readonly work: WorkList;
  readonly onChange: (change: Partial<AlarmFilters>) => void;
}

/** How many alarms are active and how many of them are listed. */
function CountLine({ events, count, work, filters, onChange }: CountProps) {
  const hidden = work.hiddenShelvedCount;
  // Whether an alarm that is not listed matches filters is unknown.
  const isFiltered = Boolean(filters.search) || filterCount(filters) > 0;
  const matching = isFiltered ? work.matchingCount : count - hidden;
  return (
    <Group gap={6} mb={4} mih={28}>
      <Text size="sm" c="dimmed" role="status">
        {events.length === 0 ? words.none : words.count(countText(count), countText(matching))}
        {hidden > 0 ? ` · ${words.shelvedHidden(countText(hidden))}` : null}
      </Text>
      {hidden > 0 ? (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onChange({ shelved: 'INCLUDED' })}
        >
          {words.showShelved}
        </Button>
      ) : null}
    </Group>
  );
}

interface SurfaceProps {
  readonly filters: AlarmFilters;
  readonly work: WorkList;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly units: ReturnType<typeof useUnits>;
}

/** The list with its selection, its dialogs and its keys. */
function WorkSurface({ filters, work, list, units }: SurfaceProps) {
  const { may } = useSession();
  const [mayAct, mayShelve] = [may('AcknowledgeAlarmEvents'), may('UpdateAlarmConfiguration')];
  const selection = useSelection<AlarmEvent>('active-alarms');
  const [asking, setAsking] = useState<Asking | null>(null);
  const shown = work.rows.flatMap(({ event }) => (work.isActive(event) ? [event] : []));
  // Selected alarms as they are now; those that were cleared or filtered out are not acted on.
  const selected = shown.filter(({ id }) => selection.has(id));
  const ask = (action: AlarmAction, events: readonly AlarmEvent[]) => {
    if (action === 'shelve' ? !mayShelve : !mayAct) return;
    const targets = action === 'acknowledge' ? events.filter(isUnacknowledged) : events;
    if (targets.length > 0) setAsking({ action, events: targets });
  };
  useAlarmKeys({
    list,
    events: shown,
    selected,
    onSelect: (event) => selection.toggle(event, shown, false),
    onAct: ask,
    onShowNew: work.showNew,
    onClear: selection.clear,
  });
  return (
    <>
      {work.waitingCount > 0 ? (
        <div className={classes.waiting}>
          <Button
            size="xs"
            radius="xl"
            leftSection={<IconBellRinging size={14} aria-hidden />}
            onClick={work.showNew}
          >
            {words.newAlarms(work.waitingCount)} · {words.showNew}
          </Button>
        </div>
      ) : null}
      <AlarmList
        list={list}
        rows={work.rows}
        factsOf={work.factsOf}
        isActive={work.isActive}
        units={units}
        isGrouped={filters.grouping !== 'flat'}
        selection={selection}
        mayAct={mayAct}
        mayShelve={mayShelve}
        onAct={(action, event) => ask(action, [event])}
      />
      {selected.length > 0 ? (
        <SelectionBar
          selected={selected}
          shown={shown}
          selection={selection}
          mayShelve={mayShelve}
          onAct={(action) => ask(action, selected)}
        />
      ) : null}
      <AlarmDialogs asking={asking} onClose={() => setAsking(null)} onDone={selection.clear} />
    </>
  );
}

interface BarProps {
  readonly selected: readonly AlarmEvent[];
  readonly shown: readonly AlarmEvent[];
  readonly selection: ReturnType<typeof useSelection<AlarmEvent>>;
  readonly mayShelve: boolean;
  readonly onAct: (action: AlarmAction) => void;
}

/** What can be done to the selected alarms, at the lower edge of the screen. */
function SelectionBar({ selected, shown, selection, mayShelve, onAct }: BarProps) {
  const open = selected.filter(isUnacknowledged).length;
  return (
    <Paper
      withBorder
      shadow="md"
      className={classes.bar}
      role="region"
      aria-label={words.selectAll}
    >
      <Text size="sm" fw={600} role="status">
        {words.selected(countText(selected.length))}
      </Text>
      {open > 0 ? (
        <Button size="xs" onClick={() => onAct('acknowledge')}>
          {words.acknowledgeMany(countText(open))}
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => onAct('assign')}>
        {words.actions.assign}
      </Button>
      {mayShelve ? (
        <Button size="xs" variant="default" onClick={() => onAct('shelve')}>
          {words.actions.shelve}
        </Button>
      ) : null}
      <Button
        size="xs"
        variant="subtle"
        disabled={selected.length === shown.length}
        onClick={() => selection.setAll(shown, true)}
      >
        {words.selectAll}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        c="dimmed"
        ml="auto"
        onClick={selection.clear}
      >
        {words.clearSelection}
      </Button>
    </Paper>
  );
}
