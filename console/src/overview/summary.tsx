import { Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Reply } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { countText, numberText, SEVERITY_TONES, StateBadge } from '../ui/index.ts';
import classes from './overview.module.css';
import { useReadingsRate } from './readings-rate.ts';

const words = strings.overview;

type Totals = Reply<'listSites'>['totals'];

/** The organization in one line. Every figure links to its list. */
export function Summary({ totals }: { totals: Totals }) {
  const { may } = useSession();
  const rate = useReadingsRate();
  const { siteCount, alarmCount, alarmCounts, silentDeviceCount, deviceCount } = totals;
  return (
    <Paper
      withBorder
      component="section"
      className={classes.summary}
      aria-label={words.summary}
      data-active-alarms={alarmCount}
    >
      <Figure label={words.sites} to="/locations" value={countText(siteCount)}>
        {siteStates(totals)}
      </Figure>
      {may('ReadAlarmConfigurations') ? (
        <Figure label={words.activeAlarms} to="/alarms" value={countText(alarmCount)}>
          {alarmCounts.length === 0
            ? words.noAlarms
            : alarmCounts.map(({ severity, count }) => (
                <StateBadge key={severity} tone={SEVERITY_TONES[severity]}>
                  {countText(count)} {strings.severities[severity]}
                </StateBadge>
              ))}
        </Figure>
      ) : null}
      <Figure
        label={words.silentDevices}
        to="/devices"
        search={{ state: 'silent' }}
        value={countText(silentDeviceCount)}
      >
        {words.ofDevices(countText(deviceCount))}
      </Figure>
      <Figure
        label={words.rate}
        to="/variables"
        value={rate === null ? '–' : numberText(Math.round(rate * 10) / 10)}
      >
        {words.rateAbout}
      </Figure>
    </Paper>
  );
}

function siteStates({ siteCount, alarmSiteCount, silentSiteCount }: Totals): string {
  if (siteCount === 0) return words.noneYet;
  const parts = [
    ...(alarmSiteCount > 0 ? [words.inAlarm(countText(alarmSiteCount))] : []),
    ...(silentSiteCount > 0 ? [words.silentSites(countText(silentSiteCount))] : []),
  ];
  return parts.length === 0 ? words.allNormal : parts.join(' · ');
}

interface FigureProps {
  readonly label: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly value: string;
  readonly children: ReactNode;
}

function Figure({ label, to, search, value, children }: FigureProps) {
  return (
    <div className={classes.cell}>
      <Link
        to={to}
        {...(search ? { search: search as never } : {})}
        className={`unlinked ${classes.figure}`}
      >
        <span className={classes.detail}>{label}</span>
        <span className={`tabular ${classes.value}`}>{value}</span>
      </Link>
      <div className={classes.about}>{children}</div>
    </div>
  );
}
