import type { Severity } from '@fieldwatch/contract';
import type { ReactNode } from 'react';
import {
  IconAlertCircle,
  IconAlertOctagon,
  IconAlertTriangle,
  IconArchive,
  IconInfoCircle,
  IconPlugConnected,
  IconPlugConnectedX,
  IconUrgent,
} from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import classes from './badges.module.css';

const SEVERITY_ICONS: Readonly<Record<Severity, ReactNode>> = {
  CRITICAL: <IconUrgent aria-hidden />,
  HIGH: <IconAlertOctagon aria-hidden />,
  MEDIUM: <IconAlertTriangle aria-hidden />,
  LOW: <IconAlertCircle aria-hidden />,
  INFO: <IconInfoCircle aria-hidden />,
};

export type Tone = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'good' | 'bad' | 'plain';

/** A state is never shown by colour alone: the badge has a word and mostly an icon. */
export function StateBadge({
  tone,
  icon,
  children,
}: {
  tone: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <StateBadge tone={severity.toLowerCase() as Tone} icon={SEVERITY_ICONS[severity]}>
      {strings.severities[severity]}
    </StateBadge>
  );
}

export function OnlineBadge({ isOnline }: { isOnline: boolean }) {
  return isOnline ? (
    <StateBadge tone="good" icon={<IconPlugConnected aria-hidden />}>
      {strings.ui.online}
    </StateBadge>
  ) : (
    <StateBadge tone="plain" icon={<IconPlugConnectedX aria-hidden />}>
      {strings.ui.offline}
    </StateBadge>
  );
}

export function ArchivedBadge() {
  return (
    <StateBadge tone="plain" icon={<IconArchive aria-hidden />}>
      {strings.ui.archived}
    </StateBadge>
  );
}
