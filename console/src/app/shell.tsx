import { AppShell, Group, Kbd, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AlarmAlerts } from '../alarm-alerts/index.ts';
import { IconSearch } from '../icons/index.ts';
import { useSession } from '../session/index.ts';
import { strings } from '../strings/index.ts';
import { AccountMenu } from './account-menu.tsx';
import { ActiveAlarms } from './active-alarms.tsx';
import { ConnectionState } from './connection-state.tsx';
import { BottomBar, Navigation } from './navigation.tsx';
import { NewVersion } from './new-version.tsx';
import { CommandPalette } from './palette.tsx';
import { ShortcutSheet, useShortcuts } from './shortcuts.tsx';
import { ThemeButton } from './theme-button.tsx';
import { ZoneNote } from './zone-note.tsx';

/** The frame of all pages: navigation, connection state and account. */
export function Shell() {
  const [isNavOpen, nav] = useDisclosure(false);
  const [opened, setOpened] = useState<'palette' | 'sheet' | null>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  const close = () => setOpened(null);
  useShortcuts({ onPalette: () => setOpened('palette'), onHelp: () => setOpened('sheet') });
  useEffect(() => {
    if (pathname) nav.close();
  }, [pathname, nav.close]);
  return (
    <AppShell
      layout="alt"
      header={{ height: 'var(--header-height)' }}
      footer={{ height: 'var(--bar-height)' }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isNavOpen } }}
      padding={{ base: 'sm', sm: 'md' }}
    >
      <a className="skip" href="#content">
        {strings.app.skip}
      </a>
      <AppShell.Header className="header">
        <Header onPalette={() => setOpened('palette')} />
      </AppShell.Header>
      <AppShell.Navbar
        aria-label={strings.app.navigation}
        className="sidebar"
        data-open={isNavOpen || undefined}
      >
        <Brand isWide />
        <AppShell.Section grow component={ScrollArea} px={8}>
          <Navigation pathname={pathname} />
        </AppShell.Section>
        <AppShell.Section px={18} py="sm">
          <ZoneNote onHelp={() => setOpened('sheet')} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="content">
        <NewVersion />
        <Outlet />
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm">
        <BottomBar pathname={pathname} isNavOpen={isNavOpen} onNav={nav.toggle} />
      </AppShell.Footer>
      <AlarmAlerts />
      <CommandPalette isOpen={opened === 'palette'} onClose={close} />
      <ShortcutSheet isOpen={opened === 'sheet'} onClose={close} />
    </AppShell>
  );
}

/** The logo with the name of the organization. */
function Brand({ isWide = false }: { isWide?: boolean }) {
  const { organization } = useSession();
  return (
    <Link
      to="/"
      className="brand"
      aria-label={strings.app.home(organization.name)}
      data-wide={isWide || undefined}
    >
      <img src="/icon.svg" alt="" width={24} height={24} />
      <Text span fw={600} size="sm" truncate>
        {organization.name}
      </Text>
    </Link>
  );
}

function Header({ onPalette }: { onPalette: () => void }) {
  return (
    <Group h="100%" gap="xs" wrap="nowrap" justify="space-between" className="bar">
      <Brand />
      <UnstyledButton className="finder" onClick={onPalette} aria-label={strings.app.search}>
        <IconSearch size={16} aria-hidden />
        <Text span size="sm" className="finder-text" truncate>
          {strings.app.search}
        </Text>
        <Kbd size="xs" className="finder-text">
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <Group gap={6} wrap="nowrap">
        <ConnectionState />
        <ActiveAlarms />
        <ThemeButton />
        <AccountMenu />
      </Group>
    </Group>
  );
}
