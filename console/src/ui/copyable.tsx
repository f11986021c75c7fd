import { ActionIcon, Box, Code, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons/index.ts';
import { strings } from '../strings/index.ts';
import { useCopy } from './clipboard.ts';

/** Copies a text and shows when that succeeded. */
export function CopyIcon({ value, label }: { value: string; label: string }) {
  const [isCopied, copy] = useCopy();
  const name = isCopied ? strings.ui.copied : label;
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color={isCopied ? 'teal' : 'gray'}
        onClick={() => copy(value)}
        aria-label={name}
      >
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A labelled value with a copy button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <Box>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4} wrap="nowrap" justify="space-between">
        <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
        <CopyIcon value={value} label={strings.ui.copy(label)} />
      </Group>
    </Box>
  );
}

/** A shell command with a copy button. */
export function CopyCommand({ label, command }: { label: string; command: string }) {
  return (
    <Box>
      <Group justify="space-between" gap={4}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <CopyIcon value={command} label={strings.ui.copy(label)} />
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {command}
      </Code>
    </Box>
  );
}
