import type { Permission } from '@fieldwatch/contract';
import { type ReactNode, useMemo } from 'react';
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
import { ADMINISTRATION_PERMISSIONS, useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';

export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The key after `g` that opens the section. */
  readonly key: string;
  /** Whether the bar at the bottom of a phone has it; the others are in the navigation. */
  readonly isMain?: boolean;
  /** The permissions of which a user needs one; without them everyone has the section. */
  readonly permissions?: readonly Permission[];
}

interface SectionGroup {
  readonly name: string | null;
  readonly sections: readonly Section[];
}

const names = strings.app.sections;
const icon = { size: 18, 'aria-hidden': true } as const;

/** The sections of the console, in the order and the groups of the navigation. */
const SECTION_GROUPS: readonly SectionGroup[] = [
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
        permissions: ADMINISTRATION_PERMISSIONS,
      },
    ],
  },
];

/** The groups with the sections that the user may open. */
export function useSectionGroups(): readonly SectionGroup[] {
  const { may } = useSession();
  return useMemo(
    () =>
      SECTION_GROUPS.map(({ name, sections }) => ({
        name,
        sections: sections.filter(({ permissions }) => !permissions || permissions.some(may)),
      })).filter(({ sections }) => sections.length > 0),
    [may],
  );
}

export function useSections(): readonly Section[] {
  const groups = useSectionGroups();
  return useMemo(() => groups.flatMap(({ sections }) => sections), [groups]);
}

/** Whether a section is the one of this address. */
export function isCurrent({ to }: Section, pathname: string): boolean {
  return to === '/' ? pathname === '/' : pathname.startsWith(to);
}
