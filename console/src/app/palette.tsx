import { Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconSearch } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import classes from './palette.module.css';
import { type Entry, useEntries } from './palette-entries.ts';

const words = strings.app.palette;
const TYPING_PAUSE_MS = 120;

/** Searches pages and records by name and opens the selected one. */
export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      yOffset="10dvh"
      centered={false}
      size="lg"
      title={words.label}
      classNames={{ header: classes.header ?? '' }}
    >
      <PaletteBody onClose={onClose} />
    </Modal>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const entries = useEntries(search);
  const selected = Math.min(index, entries.length - 1);
  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    void navigate({ to: entry.to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(entries[selected]);
    else if (event.key === 'ArrowDown') setIndex(Math.min(selected + 1, entries.length - 1));
    else if (event.key === 'ArrowUp') setIndex(Math.max(selected - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="md"
        px="sm"
        leftSection={<IconSearch size={18} aria-hidden />}
        placeholder={words.placeholder}
        aria-label={words.label}
        role="combobox"
        aria-expanded
        aria-controls="palette-entries"
        aria-activedescendant={entries[selected] ? `palette-${entries[selected].id}` : undefined}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Entries entries={entries} selected={selected} onSelect={go} />
    </>
  );
}

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly selected: number;
  readonly onSelect: (entry: Entry) => void;
}

function Entries({ entries, selected, onSelect }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div
      ref={list}
      id="palette-entries"
      role="listbox"
      aria-label={words.results}
      className={classes.list}
    >
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed" p="sm">
          {words.empty}
        </Text>
      ) : null}
      {entries.map((entry, index) => (
        <button
          key={`${entry.kind} ${entry.id}`}
          id={`palette-${entry.id}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          className={classes.entry}
          onClick={() => onSelect(entry)}
        >
          <span className={classes.label}>
            {entry.label}
            {entry.detail ? (
              <Text size="xs" c="dimmed">
                {entry.detail}
              </Text>
            ) : null}
          </span>
          <Text span size="xs" c="dimmed" className={classes.kind}>
            {entry.kind}
          </Text>
        </button>
      ))}
    </div>
  );
}
