import type {
  NotificationExplanation,
  NotificationReason,
  NotificationReasonCode,
} from '@fieldwatch/contract';
import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../icons/index.ts';
import { momentText } from '../maintenance/index.ts';
import { useNow } from '../runtime/index.ts';
import { type AlarmEvent, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings, explanation as words } from '../strings/index.ts';
import { Loaded, Panel, SearchedSelect, StateBadge, type Tone, useItemKeys } from '../ui/index.ts';
import { useAssignees } from './active/index.ts';
import classes from './notification-panel.module.css';

const TONES = {
  NOTIFIED: 'good',
  PENDING: 'medium',
  NOT_NOTIFIED: 'plain',
} as const satisfies Record<NotificationExplanation['outcome'], Tone>;

/** Reasons for a message; all that are in neither list explain something. */
const FOR: readonly NotificationReasonCode[] = [
  'IN_ALARM_GROUP',
  'FOLLOWS_ALARM_GROUP',
  'BROWSER',
  'PAGED_AT_STEP',
  'ON_CALL_AT_STEP',
  'REASSIGNED',
  'DELIVERED',
];

const NEUTRAL: readonly NotificationReasonCode[] = [
  'QUEUED',
  'PAGE',
  'RELEASED',
  'STEP_PENDING',
  'DELIVERY_PENDING',
  'NO_VERIFIED_METHOD',
  'NO_ESCALATION_POLICY',
  'NOT_IN_ALARM_GROUP',
  'OTHER_ON_CALL',
];

/** Why a person was notified of the event, or was not; of others only for those who manage users. */
export function NotificationPanel({ event }: { event: AlarmEvent }) {
  const { me, may } = useSession();
  const [userId, setUserId] = useState(me.id);
  const query = useRead(
    'retrieveNotificationExplanation',
    { eventId: event.id, query: userId === me.id ? {} : { userId } },
    { refetchIntervalMs: 15_000, keepsPrevious: true },
  );
  const selected = query.data && { value: query.data.userId, label: query.data.email };
  return (
    <Panel title={words.title}>
      <Stack gap="xs">
        {may('ManageUsers') ? (
          <SearchedSelect
            aria-label={words.person}
            value={userId}
            selected={selected ?? { value: me.id, label: me.email }}
            useOptions={useAssignees}
            allowDeselect={false}
            onChange={(next) => setUserId(next ?? me.id)}
          />
        ) : null}
        <Loaded query={query}>{(explained) => <Reasons explained={explained} />}</Loaded>
      </Stack>
    </Panel>
  );
}

function Reasons({ explained: { outcome, reasons } }: { explained: NotificationExplanation }) {
  const { keys } = useItemKeys(reasons.length);
  return (
    <>
      <Group gap="xs">
        <StateBadge tone={TONES[outcome]}>{words.outcomes[outcome]}</StateBadge>
      </Group>
      <ul className={classes.list}>
        {reasons.map((reason, index) => (
          <li key={keys[index]} className={classes.reason} data-kind={kindOf(reason)}>
            {ICONS[kindOf(reason)]}
            <Sentence reason={reason} />
          </li>
        ))}
      </ul>
    </>
  );
}

type Kind = 'for' | 'against' | 'neutral';

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  for: <IconCircleCheck aria-hidden />,
  against: <IconAlertTriangle aria-hidden />,
  neutral: <IconInfoCircle aria-hidden />,
};

function kindOf({ code }: NotificationReason): Kind {
  if (FOR.includes(code)) return 'for';
  return NEUTRAL.includes(code) ? 'neutral' : 'against';
}

function Sentence({ reason }: { reason: NotificationReason }) {
  const { code, id, name = '', address = '', channel, severities = [], step } = reason;
  const { dateTime, actor = '', error = '' } = reason;
  const now = useNow();
  const text = words.reasons[code]({
    ...{ name, address, actor, error },
    channel: channel ? words.channels[channel] : '',
    severities: listed(severities.map((each) => strings.severities[each])),
    step: step === undefined ? '' : String(step + 1),
    time: dateTime === undefined ? '' : momentText(Date.parse(dateTime), now),
  });
  return (
    <Text size="sm" className={classes.text ?? ''}>
      {text}
      {id === undefined ? null : (
        <>
          {' '}
          <Link to={causeOf(code, id)} className="linked within-text">
            {words.open}
          </Link>
        </>
      )}
    </Text>
  );
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : words.and(names.slice(0, -1).join(', '), last);
}

function causeOf(code: NotificationReasonCode, id: string): string {
  if (code === 'PAGE') return `/alarms/pages/${id}`;
  return code === 'HELD_BY_TOPOLOGY' ? `/alarms/events/${id}` : `/alarms/maintenance/${id}`;
}
