import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle, IconHistory, IconInfoCircle } from '../../icons/index.ts';
import { failureText } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { Loading } from '../../ui/index.ts';
import type { WidgetValue } from './widget-data.ts';

const words = strings.dashboards.widget;
const icon = { size: 16, 'aria-hidden': true, style: { flex: 'none' } } as const;

/** Why a widget shows no content, in one line. */
export function Message({
  isFailure = false,
  children,
}: {
  isFailure?: boolean;
  children: ReactNode;
}) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" role={isFailure ? 'alert' : undefined}>
      {isFailure ? <IconAlertTriangle {...icon} /> : <IconInfoCircle {...icon} />}
      <Text size="sm" {...(isFailure ? {} : { c: 'dimmed' })} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
  );
}

export function Unconfigured() {
  return <Message>{words.unconfigured}</Message>;
}

type Missing = Exclude<WidgetValue, { kind: 'value' }>;

/** The state of a widget without a value. */
export function NoValue({ state }: { state: Missing }) {
  if (state.kind === 'loading') return <Loading rows={1} />;
  if (state.kind === 'failed') return <Message isFailure>{failureText(state.error)}</Message>;
  if (state.kind === 'noData') return <Message>{words.noData(state.variable.name)}</Message>;
  const texts = {
    unset: words.unconfigured,
    unresolved: words.unresolved,
    gone: words.gone,
  };
  return <Message isFailure={state.kind === 'gone'}>{texts[state.kind]}</Message>;
}

/** Marks a value that may be out of date, with an icon and a word beside the time. */
export function StaleMark() {
  return (
    <Text span size="xs" fw={600} c="var(--mantine-color-text)">
      <IconHistory size={12} aria-hidden style={{ verticalAlign: '-2px' }} /> {words.stale}
      {' · '}
    </Text>
  );
}
