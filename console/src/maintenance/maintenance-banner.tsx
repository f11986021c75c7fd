import type { MaintenanceWindow } from '@fieldwatch/contract';
import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconFlask, IconTool } from '../icons/index.ts';
import { useNow } from '../runtime/index.ts';
import { type Input, useRead } from '../service/index.ts';
import { useSession } from '../session/index.ts';
import { strings, maintenance as words } from '../strings/index.ts';
import classes from './maintenance-banner.module.css';
import { momentText } from './times.ts';
import { EndButton } from './window-dialogs.tsx';

const MAX_BANNERS = 3;
const REFRESH_MS = 15_000;

type Query = NonNullable<Input<'listMaintenanceWindows'>['query']>;
type Covered = Pick<Query, 'deviceId' | 'assetId' | 'locationId'>;

/** The windows in progress that cover a record. */
export function useActiveWindows(covered: Covered) {
  const { may } = useSession();
  return useRead(
    'listMaintenanceWindows',
    { query: { ...covered, state: 'ACTIVE', take: MAX_BANNERS } },
    { refetchIntervalMs: REFRESH_MS, enabled: may('ReadAlarmConfigurations') },
  );
}

/** The windows in progress that cover the page's record. Nothing without any. */
export function MaintenanceBanner({ covered }: { covered: Covered }) {
  const { data } = useActiveWindows(covered);
  if (!data || data.items.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {data.items.map((window) => (
        <Banner key={window.id} window={window} />
      ))}
    </Stack>
  );
}

function Banner({ window }: { window: MaintenanceWindow }) {
  const { id, mode, reason, current, severities } = window;
  const now = useNow();
  if (current === null) return null;
  const names = severities.map((each) => strings.severities[each]).join(', ');
  return (
    <div className={classes.banner} role="status">
      <span className={classes.icon}>
        {mode === 'TEST' ? <IconFlask aria-hidden /> : <IconTool aria-hidden />}
      </span>
      <Text size="sm" className={classes.text ?? ''}>
        <strong>
          {words.banner[mode]} {momentText(Date.parse(current.to), now)}
        </strong>
        {`: ${reason}`}
        {names ? ` (${words.onlySeverities(names)})` : null}{' '}
        <Link to={`/alarms/maintenance/${id}`} className="linked within-text">
          {words.bannerLink}
        </Link>
      </Text>
      <EndButton window={window} size="xs" />
    </div>
  );
}
