import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { conditionText, isUnacknowledged, SuppressionBadge } from '../../alarm-events/index.ts';
import { IconBellOff, IconUserPlus } from '../../icons/index.ts';
import type { AlarmEvent } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { SeverityBadge, StateBadge, Timestamp } from '../../ui/index.ts';
import { EventValue } from '../event-cells.tsx';
import classes from './list.module.css';

const words = strings.activeAlarms;
const icon = { size: 16, 'aria-hidden': true } as const;

/** What can be done to alarms. */
export type AlarmAction = 'acknowledge' | 'shelve' | 'assign';

export interface RowProps {
  readonly event: AlarmEvent;
  readonly unit: string | null;
  /** Null where the site is the heading above. */
  readonly siteName: string | null;
  readonly shelvedUntil: string | null;
  readonly assigneeName: string | null;
  /** It has left the list and stays in its place for a while. */
  readonly isGone: boolean;
  readonly isCleared: boolean;
  readonly isSelected: boolean;
  readonly mayAct: boolean;
  readonly mayShelve: boolean;
  readonly onSelect: (event: AlarmEvent, isRange: boolean) => void;
  readonly onAct: (action: AlarmAction, event: AlarmEvent) => void;
}

/** One alarm. Its name is the link that the keys move between. */
export const AlarmRow = memo(function AlarmRow(props: RowProps) {
  const { event, unit, siteName, isGone, isCleared, isSelected, mayAct, onSelect } = props;
  const { id, alarmName, severity, deviceId, deviceName, deviceVariableName } = event;
  const condition = conditionText(event.operator, event.thresholdValue, unit);
  return (
    <li
      className={classes.row}
      data-tone={severity.toLowerCase()}
      data-selected={isSelected || undefined}
      data-gone={isGone || undefined}
    >
      <span className={classes.check}>
        {mayAct && !isCleared ? (
          <Checkbox
            size="xs"
            aria-label={words.select(alarmName, deviceName)}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              onSelect(event, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        ) : null}
      </span>
      <div className={classes.name}>
        <Link to={`/alarms/events/${id}`} className="linked" data-alarm-event={id}>
          {alarmName}
        </Link>
        <div className={classes.detail}>
          {deviceVariableName} {condition}
        </div>
      </div>
      <div className={classes.facts}>
        <span className={classes.severity}>
          <SeverityBadge severity={severity} />
        </span>
        <span className={classes.device}>
          <Link to={`/devices/${deviceId}`} className="linked">
            {deviceName}
          </Link>
          {siteName ? <span className={classes.detail}>{siteName}</span> : null}
        </span>
        <span className={classes.value}>
          <EventValue event={event} unit={unit} />
        </span>
        <span className={classes.since}>
          <Timestamp at={event.raisedDateTime} form="relative" />
          <span className={classes.detail}>
            <Timestamp at={event.raisedDateTime} form="exact" />
          </span>
        </span>
        <RowState {...props} />
      </div>
      <RowButtons {...props} />
    </li>
  );
});

/** Acknowledged or not, shelved, and who is assigned. */
function RowState({ event, isCleared, shelvedUntil, assigneeName, mayAct }: RowProps) {
  return (
    <span className={classes.state}>
      {isCleared ? <StateBadge tone="plain">{words.cleared}</StateBadge> : null}
      {!isCleared && isUnacknowledged(event) ? (
        // On a phone the button to acknowledge says the same.
        <span className={mayAct ? classes.onButton : undefined}>
          <StateBadge tone="medium">{strings.alarms.unacknowledged}</StateBadge>
        </span>
      ) : null}
      {!isCleared && event.acknowledgedDateTime !== null ? (
        <span>
          <StateBadge tone="good">{strings.alarms.acknowledged}</StateBadge>
          <span className={classes.detail}>
            {event.acknowledgedBy ? strings.alarms.by(event.acknowledgedBy) : null}
          </span>
        </span>
      ) : null}
      <SuppressionBadge event={event} />
      {shelvedUntil ? (
        <span>
          <StateBadge tone="shelved" icon={<IconBellOff aria-hidden />}>
            {strings.alarms.shelve.shelved}
          </StateBadge>
          <span className={classes.detail}>
            {words.until} <Timestamp at={shelvedUntil} form="exact" />
          </span>
        </span>
      ) : null}
      {assigneeName ? (
        <span className={classes.assignee}>
          <span aria-hidden>{words.assignedTo(assigneeName)}</span>
          <span className={classes.hidden}>{words.assignedToLabel(assigneeName)}</span>
        </span>
      ) : null}
    </span>
  );
}

function RowButtons({ event, isCleared, mayAct, mayShelve, onAct }: RowProps) {
  const { acknowledge, shelve, assign } = words.actions;
  const labelOf = (action: string) => strings.ui.actionOn(action, event.alarmName);
  return (
    <span className={classes.actions}>
      {mayAct && !isCleared && isUnacknowledged(event) ? (
        <Button
          size="xs"
          variant="light"
          aria-label={labelOf(acknowledge)}
          onClick={() => onAct('acknowledge', event)}
        >
          {acknowledge}
        </Button>
      ) : null}
      {mayAct && !isCleared ? (
        <Tooltip label={assign}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.minor ?? ''}
            aria-label={labelOf(assign)}
            onClick={() => onAct('assign', event)}
          >
            <IconUserPlus {...icon} />
          </ActionIcon>
        </Tooltip>
      ) : null}
      {mayShelve && !isCleared ? (
        <Tooltip label={shelve}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.minor ?? ''}
            aria-label={labelOf(shelve)}
            onClick={() => onAct('shelve', event)}
          >
            <IconBellOff {...icon} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </span>
  );
}
