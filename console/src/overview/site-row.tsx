import type { Site } from '@fieldwatch/contract';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { IconCircleCheck, IconMinus, IconPlugConnectedX } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import {
  countText,
  duration,
  exactTime,
  SeverityBadge,
  StateBadge,
  Timestamp,
} from '../ui/index.ts';
import { nameAtSite } from './name-at-site.ts';
import classes from './sites.module.css';
import { SupplyCells } from './supply-cells.tsx';
import type { Trends } from './trends.ts';

const words = strings.overview;

interface Props {
  readonly site: Site;
  /** Null where no site of the list has Variables of its power supply. */
  readonly trends: Trends | null;
}

/** One site: its state, what is wrong with it and what feeds it. */
export const SiteRow = memo(function SiteRow({ site, trends }: Props) {
  const { id, name, state, deviceCount, worstAlarm } = site;
  return (
    <li
      className={classes.row}
      data-tone={worstAlarm ? worstAlarm.severity.toLowerCase() : state.toLowerCase()}
      data-alarms={site.alarmCount}
    >
      <span className={classes.state}>
        <SiteStateBadge site={site} />
      </span>
      <span className={classes.site}>
        {id === null ? (
          <Link to="/devices" className={`linked ${classes.name}`}>
            {words.noLocation}
          </Link>
        ) : (
          <Link to={`/locations/${id}`} className={`linked ${classes.name}`}>
            {name}
          </Link>
        )}
        {deviceCount > 0 ? (
          <span className={classes.detail}>
            {words.deviceCount(countText(deviceCount), deviceCount)}
          </span>
        ) : null}
      </span>
      <span className={classes.trouble}>
        <WorstAlarm site={site} />
        <SilentDevices site={site} />
      </span>
      {trends ? <SupplyCells site={site} trends={trends} /> : null}
    </li>
  );
});

function SiteStateBadge({ site: { state, worstAlarm } }: { site: Site }) {
  if (worstAlarm) return <SeverityBadge severity={worstAlarm.severity} />;
  if (state === 'NORMAL') {
    return (
      <StateBadge tone="good" icon={<IconCircleCheck aria-hidden />}>
        {words.states.NORMAL}
      </StateBadge>
    );
  }
  return state === 'SILENT' ? (
    <StateBadge tone="plain" icon={<IconPlugConnectedX aria-hidden />}>
      {words.states.SILENT}
    </StateBadge>
  ) : (
    <StateBadge tone="plain" icon={<IconMinus aria-hidden />}>
      {words.states.NO_DEVICES}
    </StateBadge>
  );
}

function WorstAlarm({ site: { id, name, worstAlarm, alarmCount } }: { site: Site }) {
  if (!worstAlarm) return null;
  const others = countText(alarmCount - 1);
  return (
    <span className={classes.line}>
      <Link to={`/alarms/events/${worstAlarm.eventId}`} className="linked">
        {worstAlarm.alarmName}
      </Link>
      {alarmCount > 1 ? (
        <>
          {' '}
          <Link
            to="/alarms"
            search={{ sites: [id ?? 'none'] } as never}
            className={`linked ${classes.more}`}
            aria-label={words.moreAlarms(others, name ?? words.noLocation)}
          >
            {words.more(others)}
          </Link>
        </>
      ) : null}
      <span className={classes.detail}>
        {nameAtSite(worstAlarm.deviceName, name)} ·{' '}
        <Timestamp at={worstAlarm.raisedDateTime} form="relative" />
        {worstAlarm.isUnacknowledged ? ` · ${words.unacknowledged}` : null}
      </span>
    </span>
  );
}

function SilentDevices({ site }: { site: Site }) {
  const { id, name, silentDeviceCount, silentDevice, silentSinceDateTime } = site;
  if (silentDeviceCount === 0) return null;
  const isOne = silentDeviceCount === 1 && silentDevice !== null;
  return (
    <span className={classes.line}>
      {isOne ? (
        <span className={classes.inText}>
          <Link to={`/devices/${silentDevice.id}`} className="linked">
            {nameAtSite(silentDevice.name, name)}
          </Link>{' '}
          {words.silent}
        </span>
      ) : (
        <Link
          to="/devices"
          search={{ state: 'silent', ...(id === null ? {} : { locationId: id }) } as never}
          className="linked"
        >
          {words.silentOf(countText(silentDeviceCount))}
        </Link>
      )}
      {silentSinceDateTime ? <SilentTime since={silentSinceDateTime} /> : null}
    </span>
  );
}

function SilentTime({ since }: { since: string }) {
  const now = useNow();
  const sinceMs = Date.parse(since);
  return (
    <time dateTime={since} title={exactTime(sinceMs)} className={classes.since}>
      {' '}
      {words.forTime(duration(now - sinceMs))}
    </time>
  );
}
