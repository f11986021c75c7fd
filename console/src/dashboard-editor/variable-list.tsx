import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { IconX } from '../icons/index.ts';
import { useVariableLabel, VariableSelect } from '../references/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.dashboards.edit;
const MAX_VARIABLES = 20;

interface Props {
  readonly label: string;
  readonly ids: readonly string[];
  readonly onChange: (ids: string[]) => void;
}

/** A list of Variables, extended one at a time. */
export function VariableList({ label, ids, onChange }: Props) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {ids.map((id) => (
        <VariableRow
          key={id}
          id={id}
          onRemove={() => onChange(ids.filter((each) => each !== id))}
        />
      ))}
      {ids.length < MAX_VARIABLES ? (
        <VariableSelect
          aria-label={words.addVariable}
          placeholder={words.addVariable}
          deviceId={null}
          value={null}
          onChange={(id) => id && !ids.includes(id) && onChange([...ids, id])}
        />
      ) : null}
    </Stack>
  );
}

function VariableRow({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { label, isDeleted } = useVariableLabel(id);
  const name = isDeleted ? strings.ui.deletedRecord : (label ?? '…');
  return (
    <Group gap={4} justify="space-between" wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={words.removeItem(name)}
        onClick={onRemove}
      >
        <IconX size={14} />
      </ActionIcon>
    </Group>
  );
}
