import { ARCHIVED_SCOPES, type ArchivedScope } from '@fieldwatch/contract';
import { SegmentedControl } from '@mantine/core';
import { oneIn } from '../service/index.ts';
import { strings } from '../strings/index.ts';

const words = strings.ui.archivedScope;

interface Props {
  readonly value: ArchivedScope;
  /** Undefined is the default scope, which is left out of the URL. */
  readonly onChange: (scope: ArchivedScope | undefined) => void;
}

/** Filters a list by the archived state of its records. */
export function ArchivedScopeFilter({ value, onChange }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.label}
      value={value}
      onChange={(next) => onChange(next === 'active' ? undefined : oneIn(next, ARCHIVED_SCOPES))}
      data={ARCHIVED_SCOPES.map((scope) => ({ value: scope, label: words[scope] }))}
    />
  );
}
