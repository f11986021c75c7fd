import type { SiteChange } from '@fieldwatch/contract';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconCircleCheck, IconPlugConnected, IconPlugConnectedX } from '../icons/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { countText, Panel, SeverityBadge, StateBadge, Timestamp } from '../ui/index.ts';
import classes from './changes.module.css';
import { nameAtSite } from './name-at-site.ts';

const words = strings.overview;

/** Alarms that were raised or cleared, and Devices that went silent or came online. */
export function Changes({ changes }: { changes: readonly SiteChange[] }) {
  const { may } = useSession();
  const all = may('ReadAlarmConfigurations') ? (
    <Anchor component={Link} to="/alarms/history" size="sm" className="linked">
      {words.seeHistory}
    </Anchor>
  ) : null;
  return (
    <Panel title={words.changes} actions={all}>
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.noChanges}
        </Text>
      ) : (
        <ul className={classes.list} aria-label={words.changes}>
          {changes.map((change) => (
            <Change key={change.event?.id ?? `${change.kind} ${change.siteId}`} change={change} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Change({ change }: { change: SiteChange }) {
  const { event, siteId, siteName, changedDateTime } = change;
  return (
    <li className={classes.change}>
      <span className={classes.kind}>
        <KindBadge change={change} />
        <span className={classes.detail}>
          <Timestamp at={changedDateTime} form="relative" />
        </span>
      </span>
      <span className={classes.what}>
        {event ? (
          <Link to={`/alarms/events/${event.id}`} className="linked">
            {event.alarmName}
          </Link>
        ) : (
          <ChangedDevices change={change} />
        )}
        <span className={classes.detail}>
          {event ? `${nameAtSite(event.deviceName, siteName)} · ` : null}
          {siteId === null ? (
            words.noLocation
          ) : (
            <Link to={`/locations/${siteId}`} className="linked">
              {siteName}
            </Link>
          )}
        </span>
      </span>
    </li>
  );
}

/** An alarm that was raised is shown by its severity. */
function KindBadge({ change: { kind, event } }: { change: SiteChange }) {
  if (kind === 'RAISED' && event) return <SeverityBadge severity={event.severity} />;
  if (kind === 'WENT_SILENT') {
    return (
      <StateBadge tone="plain" icon={<IconPlugConnectedX aria-hidden />}>
        {words.kinds[kind]}
      </StateBadge>
    );
  }
  const Icon = kind === 'CLEARED' ? IconCircleCheck : IconPlugConnected;
  return (
    <StateBadge tone="good" icon={<Icon aria-hidden />}>
      {words.kinds[kind]}
    </StateBadge>
  );
}

function ChangedDevices({ change }: { change: SiteChange }) {
  const { kind, device, deviceCount, siteId, siteName } = change;
  if (deviceCount === 1 && device) {
    return (
      <Link to={`/devices/${device.id}`} className="linked">
        {nameAtSite(device.name, siteName)}
      </Link>
    );
  }
  const state = kind === 'WENT_SILENT' ? 'silent' : 'online';
  return (
    <Link
      to="/devices"
      search={{ state, ...(siteId === null ? {} : { locationId: siteId }) } as never}
      className="linked"
    >
      {words.deviceCount(countText(deviceCount), deviceCount)}
    </Link>
  );
}
