import { Stack, Text } from '@mantine/core';
import { IconSend } from '../icons/index.ts';
import type { Reply } from '../service/index.ts';
import { strings, policies as words } from '../strings/index.ts';
import { type Column, useList } from '../ui/index.ts';
import { EscalationPolicyForm } from './escalation-policy-form.tsx';
import { useTargetNames } from './escalation-targets.ts';
import { RecordList, useListFilters } from './record-list.tsx';

type Policy = Reply<'listEscalationPolicies'>['items'][number];

const SECONDS_PER_MINUTE = 60;

const columns: readonly Column<Policy>[] = [
  { head: words.name, cell: ({ name }) => name, sortKey: 'NAME', value: ({ name }) => name },
  { head: words.steps, cell: ({ steps }) => <Steps steps={steps} /> },
  {
    head: words.warnings,
    cell: (policy) => (
      <Stack gap={2}>
        {warningsOf(policy).map((message) => (
          <Text key={message} size="xs">
            {message}
          </Text>
        ))}
      </Stack>
    ),
    value: (policy) => warningsOf(policy).join(' '),
  },
];

/** Targets that are in several steps have the same warning in each. */
function warningsOf({ warnings }: Policy): string[] {
  return [...new Set(warnings.map(({ message }) => message))];
}

/** The policy read from top to bottom: who is paged at once, and who when nobody acknowledges. */
function Steps({ steps }: Pick<Policy, 'steps'>) {
  const nameOf = useTargetNames();
  const lines = steps.map(({ afterSeconds, targets }, index) => {
    const names = targets.map(nameOf).join(', ');
    const minutes = String(Math.round(afterSeconds / SECONDS_PER_MINUTE));
    const text = afterSeconds === 0 ? words.atOnce(names) : words.summary(minutes, names);
    return `${index + 1}. ${text}`;
  });
  return (
    <Stack gap={2}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Stack>
  );
}

/** Escalation policies: who is paged, and who after that. */
export function EscalationPolicies() {
  const { position, inputOf, ...filters } = useListFilters();
  const list = useList({
    name: 'escalation-policies',
    operation: 'listEscalationPolicies',
    inputOf,
    columns,
    ...position,
  });
  return (
    <RecordList
      label={strings.administration.tabs['escalation-policies']}
      resource="EscalationPolicy"
      words={words}
      icon={<IconSend />}
      list={list}
      filters={filters}
      isWide
      nameOf={({ name }) => name}
      form={(policy, close) => <EscalationPolicyForm policy={policy} onClose={close} />}
      deletion="deleteEscalationPolicy"
      deletedBy={({ id }) => ({ policyId: id })}
    />
  );
}
