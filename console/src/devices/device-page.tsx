import { Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useActiveEvents } from '../alarm-events/index.ts';
import { MaintenanceBanner, MaintenanceButton, useActiveWindows } from '../maintenance/index.ts';
import { compact, type Device, oneIn, type Raw, useFilters, useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { ArchivedBadge, Page, Panel, RecordPage, TabList } from '../ui/index.ts';
import { AlarmsTab, DeviceAlarms } from './alarms-tab.tsx';
import { useIsArchived } from './archived.ts';
import { PublishTab } from './credentials.tsx';
import { DetailsTab } from './details-tab.tsx';
import { DeviceActions } from './device-actions.tsx';
import { DeviceState, LastSeen } from './device-table.tsx';
import { HealthTab } from './health-tab.tsx';
import { hasRadio } from './radio-choices.tsx';
import { RadioTab } from './radio-tab.tsx';
import { UnmatchedTab } from './unmatched-tab.tsx';
import { ValuesTab } from './values-tab.tsx';

const words = strings.devices;
const TABS = ['values', 'alarms', 'unmatched', 'radio', 'health', 'publish', 'details'] as const;

const parse = (raw: Raw) => compact({ tab: oneIn(raw.tab, TABS) });

const tabsOf = (device: Device) => TABS.filter((each) => each !== 'radio' || hasRadio(device));

export function DevicePage() {
  const { deviceId } = useParams({ strict: false }) as { deviceId: string };
  const query = useRead('retrieveDevice', { deviceId }, { refetchIntervalMs: 30_000 });
  const unmatched = useRead(
    'listUnmatchedPaths',
    { deviceId, query: { take: 1 } },
    { refetchIntervalMs: 4_000 },
  );
  const beside = [useActiveEvents().query, useActiveWindows({ deviceId }), unmatched];
  const [{ tab = 'values' }, setFilters] = useFilters(parse);
  const trail = (
    <Link to="/devices" className="linked">
      {words.title}
    </Link>
  );
  const count = unmatched.data?.count ?? 0;
  return (
    <RecordPage query={query} list={{ title: words.title, path: '/devices' }} beside={beside}>
      {(device) => (
        <Page
          title={device.name}
          trail={trail}
          about={
            <>
              <DeviceState device={device} /> <ArchivedState device={device} />
              {words.types[device.type]} · {words.lastSeen} <LastSeen device={device} />
            </>
          }
          actions={
            <>
              <MaintenanceButton entry={{ field: 'deviceIds', id: device.id }} name={device.name} />
              <DeviceActions device={device} />
            </>
          }
          record={{ resource: 'Device', id: device.id }}
        >
          <MaintenanceBanner covered={{ deviceId: device.id }} />
          <DeviceAlarms deviceId={device.id} />
          <Tabs
            value={tab}
            onChange={(next) => setFilters({ tab: oneIn(next, TABS) })}
            keepMounted={false}
          >
            <TabList label={device.name} value={tab}>
              {tabsOf(device).map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {words.tabs[each]}
                  {each === 'unmatched' && count > 0 ? ` (${count})` : null}
                </Tabs.Tab>
              ))}
            </TabList>
            <Tabs.Panel pt="sm" value="values">
              <ValuesTab device={device} />
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="alarms">
              <AlarmsTab device={device} />
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="unmatched">
              <UnmatchedTab device={device} />
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="radio">
              <RadioTab device={device} />
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="health">
              <HealthTab device={device} />
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="publish">
              <Panel>
                <PublishTab device={device} />
              </Panel>
            </Tabs.Panel>
            <Tabs.Panel pt="sm" value="details">
              <Panel>
                <DetailsTab device={device} />
              </Panel>
            </Tabs.Panel>
          </Tabs>
        </Page>
      )}
    </RecordPage>
  );
}

function ArchivedState({ device }: { device: Device }) {
  return useIsArchived(device) ? (
    <>
      <ArchivedBadge />{' '}
    </>
  ) : null;
}
