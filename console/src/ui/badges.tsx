import type { DeliveryState, Severity } from '@fieldwatch/contract';
import type { ReactNode } from 'react';
import type { Tone } from '../design/index.ts';
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

/** The tone of a severity, wherever it is shown. */
export const SEVERITY_TONES = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  INFO: 'info',
} as const satisfies Readonly<Record<Severity, Tone>>;

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

interface SeverityProps {
  readonly severity: Severity;
  readonly text?: string;
}

export function SeverityBadge({ severity, text = strings.severities[severity] }: SeverityProps) {
  return (
    <StateBadge tone={SEVERITY_TONES[severity]} icon={SEVERITY_ICONS[severity]}>
      {text}
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

const DELIVERY_TONES: Readonly<Record<DeliveryState, Tone>> = {
  PENDING: 'low',
  DELIVERED: 'good',
  FAILED: 'bad',
  CANCELLED: 'plain',
};

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const { states } = strings.administration.deliveries;
  return <StateBadge tone={DELIVERY_TONES[state]}>{states[state]}</StateBadge>;
}

export function ArchivedBadge() {
  return (
    <StateBadge tone="plain" icon={<IconArchive aria-hidden />}>
      {strings.ui.archived}
    </StateBadge>
  );
}
