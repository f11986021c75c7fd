import type { ReactNode } from 'react';
import {
  IconBell,
  IconBuildingFactory2,
  IconChartLine,
  IconCpu,
  IconHome,
  IconLayoutDashboard,
  IconMapPin,
  IconSettings,
} from '../icons/index.ts';
import { strings } from '../strings/index.ts';

export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The key after `g` that opens the section. */
  readonly key: string;
}

const names = strings.app.sections;
const icon = { size: 18, 'aria-hidden': true } as const;

/** The sections of the console, in the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  { to: '/', label: names.overview, icon: <IconHome {...icon} />, key: 'o' },
  { to: '/alarms', label: names.alarms, icon: <IconBell {...icon} />, key: 'a' },
  { to: '/devices', label: names.devices, icon: <IconCpu {...icon} />, key: 'd' },
  { to: '/variables', label: names.variables, icon: <IconChartLine {...icon} />, key: 'v' },
  { to: '/assets', label: names.assets, icon: <IconBuildingFactory2 {...icon} />, key: 's' },
  { to: '/dashboards', label: names.dashboards, icon: <IconLayoutDashboard {...icon} />, key: 'b' },
  { to: '/locations', label: names.locations, icon: <IconMapPin {...icon} />, key: 'l' },
  {
    to: '/administration',
    label: names.administration,
    icon: <IconSettings {...icon} />,
    key: 'm',
  },
];
