import { Checkbox, Text } from '@mantine/core';
import { type RefObject, startTransition, useCallback, useEffect, useRef, useState } from 'react';
import type { Units } from '../../alarm-events/index.ts';
import type { AlarmEvent } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { countText, type useSelection } from '../../ui/index.ts';
import type { RowFacts } from './facts.ts';
import { groupsOf } from './groups.ts';
import classes from './list.module.css';
import { type AlarmAction, AlarmRow } from './row.tsx';
import type { ShownRow } from './shown-rows.ts';

const words = strings.activeAlarms;
const ROWS_PER_STEP = 100;

interface Props {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly rows: readonly ShownRow[];
  readonly factsOf: (event: AlarmEvent) => RowFacts;
  readonly isActive: (event: AlarmEvent) => boolean;
  readonly units: Units;
  readonly isGrouped: boolean;
  readonly selection: ReturnType<typeof useSelection<AlarmEvent>>;
  readonly mayAct: boolean;
  readonly mayShelve: boolean;
  readonly onAct: (action: AlarmAction, event: AlarmEvent) => void;
}

/** The alarms in rows, under headings of their sites or not. */
export function AlarmList(props: Props) {
  const { list, factsOf, isGrouped, selection } = props;
  const rows = useSteppedRows(props.rows);
  const latest = useRef(props);
  latest.current = props;
  // Rows are rendered again only when their own properties change, so the functions stay the same.
  const onSelect = useCallback((event: AlarmEvent, isRange: boolean) => {
    const { selection: current, rows: shown } = latest.current;
    current.toggle(
      event,
      shown.map((row) => row.event),
      isRange,
    );
  }, []);
  const onAct = useCallback((action: AlarmAction, event: AlarmEvent) => {
    latest.current.onAct(action, event);
  }, []);
  const rowOf = ({ event, goneSinceMs }: ShownRow) => {
    const { siteName, shelvedUntil, assigneeName } = factsOf(event);
    return (
      <AlarmRow
        key={event.id}
        event={event}
        unit={props.units.get(event.deviceVariableId) ?? null}
        siteName={isGrouped ? null : siteName}
        shelvedUntil={shelvedUntil}
        assigneeName={assigneeName}
        isGone={goneSinceMs !== null}
        isCleared={!props.isActive(event)}
        isSelected={selection.has(event.id)}
        mayAct={props.mayAct}
        mayShelve={props.mayShelve}
        onSelect={onSelect}
        onAct={onAct}
      />
    );
  };
  const groups = isGrouped ? groupsOf(rows, ({ event }) => factsOf(event).siteId) : [];
  return (
    <div ref={list} className={classes.list}>
      {isGrouped ? (
        groups.map((group) => (
          <section key={`${group.siteId} ${group.rows[0]?.event.id}`} className={classes.section}>
            <GroupHead rows={group.rows} factsOf={factsOf} props={props} />
            <ul className={classes.rows}>{group.rows.map(rowOf)}</ul>
          </section>
        ))
      ) : (
        <ul className={classes.rows} aria-label={words.list}>
          {rows.map(rowOf)}
        </ul>
      )}
    </div>
  );
}

/** Rows are mounted in steps: to mount a thousand at once would block the page for seconds. */
function useSteppedRows(rows: readonly ShownRow[]): readonly ShownRow[] {
  const [limit, setLimit] = useState(ROWS_PER_STEP);
  const isMore = limit < rows.length;
  useEffect(() => {
    if (!isMore) return undefined;
    const timer = setTimeout(() => startTransition(() => setLimit(limit + ROWS_PER_STEP)));
    return () => clearTimeout(timer);
  }, [isMore, limit]);
  return isMore ? rows.slice(0, limit) : rows;
}

interface HeadProps {
  readonly rows: readonly ShownRow[];
  readonly factsOf: Props['factsOf'];
  readonly props: Props;
}

function GroupHead({ rows, factsOf, props: { selection, mayAct, isActive } }: HeadProps) {
  const [first] = rows;
  if (!first) return null;
  const { siteName } = factsOf(first.event);
  const events = rows.flatMap(({ event }) => (isActive(event) ? [event] : []));
  const selected = events.filter(({ id }) => selection.has(id)).length;
  return (
    <div className={classes.group}>
      {mayAct ? (
        <Checkbox
          size="xs"
          aria-label={words.selectGroup(siteName)}
          checked={selected > 0 && selected === events.length}
          indeterminate={selected > 0 && selected < events.length}
          onChange={({ currentTarget }) => selection.setAll(events, currentTarget.checked)}
        />
      ) : null}
      <h2 className={classes.groupName}>{siteName}</h2>
      <Text size="xs" c="dimmed">
        {words.groupCount(countText(events.length))}
      </Text>
    </div>
  );
}
