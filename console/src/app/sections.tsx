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
  /** Whether the bar at the bottom of a phone has it; the others are in the navigation. */
  readonly isMain?: boolean;
}

const names = strings.app.sections;
const icon = { size: 18, 'aria-hidden': true } as const;

/** The sections of the console, in the order and the groups of the navigation. */
export const SECTION_GROUPS: readonly { name: string | null; sections: readonly Section[] }[] = [
  {
    name: null,
    sections: [
      { to: '/', label: names.overview, icon: <IconHome {...icon} />, key: 'o', isMain: true },
      { to: '/alarms', label: names.alarms, icon: <IconBell {...icon} />, key: 'a', isMain: true },
      {
        to: '/dashboards',
        label: names.dashboards,
        icon: <IconLayoutDashboard {...icon} />,
        key: 'b',
        isMain: true,
      },
    ],
  },
  {
    name: strings.app.groups.fleet,
    sections: [
      { to: '/devices', label: names.devices, icon: <IconCpu {...icon} />, key: 'd', isMain: true },
      { to: '/variables', label: names.variables, icon: <IconChartLine {...icon} />, key: 'v' },
      { to: '/assets', label: names.assets, icon: <IconBuildingFactory2 {...icon} />, key: 's' },
      { to: '/locations', label: names.locations, icon: <IconMapPin {...icon} />, key: 'l' },
    ],
  },
  {
    name: strings.app.groups.organization,
    sections: [
      {
        to: '/administration',
        label: names.administration,
        icon: <IconSettings {...icon} />,
        key: 'm',
      },
    ],
  },
];

export const SECTIONS: readonly Section[] = SECTION_GROUPS.flatMap(({ sections }) => sections);

/** Whether a section is the one of this address. */
export function isCurrent({ to }: Section, pathname: string): boolean {
  return to === '/' ? pathname === '/' : pathname.startsWith(to);
}
