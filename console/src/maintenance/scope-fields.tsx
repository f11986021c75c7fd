import { Button, CloseButton, Fieldset, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { maintenance as words } from '../strings/index.ts';
import { SearchedSelect } from '../ui/index.ts';
import {
  entriesOf,
  SCOPE_FIELDS,
  type Scope,
  type ScopeEntry,
  type ScopeField,
  withEntry,
  withoutEntry,
} from './scope.ts';
import { useScopeName } from './scope-names.tsx';
import { SCOPE_OPTIONS } from './scope-options.ts';

interface Props {
  readonly scope: Scope;
  readonly error: string | undefined;
  readonly onChange: (scope: Scope) => void;
}

/** The records of a scope, and the way to add others. */
export function ScopeFields({ scope, error, onChange }: Props) {
  const entries = entriesOf(scope);
  const [isAdding, setIsAdding] = useState(entries.length === 0);
  return (
    <Fieldset legend={words.scope}>
      <Stack gap={6}>
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            onRemove={() => onChange(withoutEntry(scope, entry))}
          />
        ))}
        {isAdding || entries.length === 0 ? (
          <AddField error={error} onAdd={(entry) => onChange(withEntry(scope, entry))} />
        ) : (
          <Button
            variant="subtle"
            size="compact-sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setIsAdding(true)}
          >
            {words.scopeAdd}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

interface RowProps {
  readonly entry: ScopeEntry;
  readonly onRemove: () => void;
}

function EntryRow({ entry, onRemove }: RowProps) {
  const name = useScopeName(entry);
  const note = words.scopeNotes[entry.field];
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}{' '}
        <Text span size="xs" c="dimmed">
          {words.scopeKinds[entry.field]}
          {note ? `, ${note}` : null}
        </Text>
      </Text>
      <CloseButton size="sm" aria-label={words.scopeRemove(name)} onClick={onRemove} />
    </Group>
  );
}

interface AddProps {
  readonly error: string | undefined;
  readonly onAdd: (entry: ScopeEntry) => void;
}

function AddField({ error, onAdd }: AddProps) {
  const [field, setField] = useState<ScopeField>('deviceIds');
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Select
        aria-label={words.scopeField}
        w={130}
        style={{ flex: 'none' }}
        allowDeselect={false}
        data={SCOPE_FIELDS.map((value) => ({ value, label: words.scopeKinds[value] }))}
        value={field}
        onChange={(next) => setField(next ?? 'deviceIds')}
      />
      <SearchedSelect
        key={field}
        aria-label={words.scopeKinds[field]}
        placeholder={words.scopeFind}
        style={{ flex: 1 }}
        error={error}
        value={null}
        selected={null}
        useOptions={SCOPE_OPTIONS[field]}
        onChange={(id) => {
          if (id !== null) onAdd({ field, id });
        }}
      />
    </Group>
  );
}
