import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { IconSearch } from '../icons/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { AccountMenu } from './account-menu.tsx';
import { ActiveAlarms } from './active-alarms.tsx';
import { ConnectionState } from './connection-state.tsx';
import { CommandPalette } from './palette.tsx';
import { SECTIONS } from './sections.tsx';
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx';
import { ThemeButton } from './theme-button.tsx';
import { ZoneNote } from './zone-note.tsx';

/** The frame of all pages: navigation, connection state and account. */
export function Shell() {
  const [isNavOpen, nav] = useDisclosure(false);
  const [opened, setOpened] = useState<'palette' | 'sheet' | null>(null);
  const { pathname } = useLocation();
  const close = () => setOpened(null);
  useShortcuts({ onPalette: () => setOpened('palette'), onHelp: () => setOpened('sheet') });
  useEffect(() => {
    if (pathname) nav.close();
  }, [pathname, nav.close]);
  return (
    <AppShell
      header={{ height: 'calc(48px + var(--demo-height))' }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      padding={{ base: 'sm', sm: 'md' }}
    >
      <a className="skip" href="#content">
        {strings.app.skip}
      </a>
      <AppShell.Header>
        <Header isNavOpen={isNavOpen} onNav={nav.toggle} onPalette={() => setOpened('palette')} />
      </AppShell.Header>
      <AppShell.Navbar aria-label={strings.app.navigation}>
        <Navigation pathname={pathname} onHelp={() => setOpened('sheet')} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <CommandPalette isOpen={opened === 'palette'} onClose={close} />
      <ShortcutSheet isOpen={opened === 'sheet'} onClose={close} />
    </AppShell>
  );
}

interface HeaderProps {
  readonly isNavOpen: boolean;
  readonly onNav: () => void;
  readonly onPalette: () => void;
}

function Header({ isNavOpen, onNav, onPalette }: HeaderProps) {
  const { organization } = useSession();
  return (
    <Group h="100%" pt="var(--demo-height)" px="sm" gap="xs" wrap="nowrap" justify="space-between">
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
        <Burger
          opened={isNavOpen}
          onClick={onNav}
          hiddenFrom="sm"
          size="sm"
          aria-label={strings.app.openNavigation}
          aria-expanded={isNavOpen}
        />
        <Link to="/" className="unlinked" aria-label={strings.app.sections.overview}>
          <img src="/icon.svg" alt="" width={26} height={26} style={{ display: 'block' }} />
        </Link>
        <Text fw={650} truncate visibleFrom="xs">
          {organization.name}
        </Text>
      </Group>
      <Group gap={6} wrap="nowrap">
        <ConnectionState />
        <ActiveAlarms />
        <Tooltip label={`${strings.app.search} (Ctrl K)`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onPalette}
            aria-label={strings.app.search}
          >
            <IconSearch size={18} />
          </ActionIcon>
        </Tooltip>
        <ThemeButton />
        <AccountMenu />
      </Group>
    </Group>
  );
}

function Navigation({ pathname, onHelp }: { pathname: string; onHelp: () => void }) {
  return (
    <>
      <AppShell.Section grow component={ScrollArea} p={6}>
        {SECTIONS.map(({ to, label, icon }) => {
          const isHere = to === '/' ? pathname === '/' : pathname.startsWith(to);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={icon}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              style={{ borderRadius: 4 }}
            />
          );
        })}
      </AppShell.Section>
      <AppShell.Section p="xs">
        <ZoneNote onHelp={onHelp} />
      </AppShell.Section>
    </>
  );
}
