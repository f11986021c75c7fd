import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '../icons/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.app.theme;

const CHOICES: readonly { scheme: MantineColorScheme; label: string; icon: ReactNode }[] = [
  { scheme: 'auto', label: words.auto, icon: <IconDeviceDesktop size={16} aria-hidden /> },
  { scheme: 'light', label: words.light, icon: <IconSun size={16} aria-hidden /> },
  { scheme: 'dark', label: words.dark, icon: <IconMoon size={16} aria-hidden /> },
];

export function ThemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={words.label} visibleFrom="xs">
          {CHOICES.find(({ scheme }) => scheme === colorScheme)?.icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ scheme, label, icon }) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            checked={scheme === colorScheme}
            checkIcon={<IconCheck size={16} aria-hidden />}
            rightSection={icon}
            closeMenuOnClick
            onChange={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
