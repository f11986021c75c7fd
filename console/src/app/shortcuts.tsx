import { Group, Kbd, Table, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { pageKeys } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { Dialog } from '../ui/index.ts';
import { useSections } from './sections.tsx';

const words = strings.app.keys;
/** The maximum time between `g` and the second key. */
const SECOND_KEY_MS = 1_200;

interface Listener {
  onPalette(): void;
  onHelp(): void;
}

/** Whether the focused element takes text. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button)$/.test(target.type);
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName);
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('[data-shortcut-search]');
  field?.focus();
  return field !== null;
}

/** Runs the shortcut of the page for a key; false when the page has none. */
function actOfPage(key: string): boolean {
  return pageKeys.read().some(({ keys, act }) => keys.includes(key) && act());
}

/** Ctrl-K or ⌘K, `?`, `/`, `g` with the key of a section, and the keys of the page. */
export function useShortcuts({ onPalette, onHelp }: Listener): void {
  const navigate = useNavigate();
  const sections = useSections();
  const goUntil = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      if (document.querySelector('[role="dialog"]')) return;
      const isGoing = event.timeStamp < goUntil.current;
      goUntil.current = 0;
      const section = isGoing ? sections.find(({ key }) => key === event.key) : undefined;
      if (section) void navigate({ to: section.to });
      else if (event.key === 'g') goUntil.current = event.timeStamp + SECOND_KEY_MS;
      else if (event.key === '?') onHelp();
      else if (event.key === '/' && focusSearch()) event.preventDefault();
      else if (actOfPage(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, sections, onPalette, onHelp]);
}

export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const sections = useSections();
  const ofPage = useSyncExternalStore(pageKeys.subscribe, pageKeys.read);
  const rows: readonly [ReactNode, string][] = [
    ...ofPage.map(({ keys, meaning }): [ReactNode, string] => [
      <Keys key={meaning} keys={keys} join={words.or} />,
      meaning,
    ]),
    [<Keys key="palette" keys={['Ctrl', 'K']} join="+" />, words.palette],
    [<Keys key="search" keys={['/']} />, words.search],
    [<Keys key="help" keys={['?']} />, words.help],
    [<Keys key="close" keys={['Esc']} />, words.close],
    ...sections.map(({ key, label }): [ReactNode, string] => [
      <Keys key={key} keys={['g', key]} join={words.next} />,
      words.go(label),
    ]),
  ];
  return (
    <Dialog title={strings.app.shortcuts} isOpen={isOpen} onClose={onClose}>
      <Table aria-label={strings.app.shortcuts}>
        <Table.Tbody>
          {rows.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td>{meaning}</Table.Td>
              <Table.Td ta="right">{keys}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

function Keys({ keys, join }: { keys: readonly string[]; join?: string }) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {keys.map((key, index) => (
        <Group key={key} gap={4} wrap="nowrap">
          {index > 0 ? (
            <Text size="xs" c="dimmed">
              {join}
            </Text>
          ) : null}
          <Kbd>{key}</Kbd>
        </Group>
      ))}
    </Group>
  );
}
