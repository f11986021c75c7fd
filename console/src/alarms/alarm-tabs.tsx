import { Tabs } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { strings } from '../strings/index.ts';
import { TabList } from '../ui/index.ts';

const words = strings.alarms.tabs;

const TABS = [
  { path: '/alarms', label: words.active },
  { path: '/alarms/history', label: words.history },
  { path: '/alarms/pages', label: words.pages },
  { path: '/alarms/maintenance', label: words.maintenance },
  { path: '/alarms/statistics', label: words.statistics },
  { path: '/alarms/configurations', label: words.configurations },
] as const;

/** The tabs of all alarm pages. */
export function AlarmTabs() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const navigate = useNavigate();
  return (
    <Tabs value={pathname} onChange={(path) => void navigate({ to: path ?? '/alarms' })} mb="sm">
      <TabList label={words.label} value={pathname}>
        {TABS.map(({ path, label }) => (
          <Tabs.Tab key={path} value={path}>
            {label}
          </Tabs.Tab>
        ))}
      </TabList>
    </Tabs>
  );
}
