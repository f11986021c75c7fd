import { Group, Select } from '@mantine/core';
import { RangePicker, useRange } from '../charts/index.ts';
import { strings } from '../strings/index.ts';
import type { BoardFilters } from './board-filters.ts';
import type { TemplateTargets } from './template.ts';
import { REFRESH_SECONDS } from './wall-filters.ts';

const words = strings.dashboards.view;

interface Props {
  readonly filters: BoardFilters;
  readonly onChange: (change: Partial<BoardFilters>) => void;
  /** The refresh interval of the Dashboard, in seconds. */
  readonly refreshSeconds: number;
  readonly targets: TemplateTargets | null;
  readonly target: string | undefined;
}

/** The site of a template, the time range and the refresh interval of a board, all in its URL. */
export function BoardControls({ filters, onChange, refreshSeconds, targets, target }: Props) {
  const range = useRange(filters);
  const seconds = filters.refresh ?? refreshSeconds;
  const intervals = [...new Set([...REFRESH_SECONDS, seconds])].sort((a, b) => a - b);
  return (
    <Group gap="sm" mb="sm" data-print="hidden">
      {targets ? (
        <Select
          w={240}
          aria-label={words.targets[targets.kind]}
          placeholder={words.targets[targets.kind]}
          data={targets.options ?? []}
          value={target ?? null}
          onChange={(value) => onChange({ target: value ?? undefined })}
          nothingFoundMessage={words.noTargets[targets.kind]}
          limit={200}
          searchable
          allowDeselect={false}
        />
      ) : null}
      <RangePicker choice={filters} range={range} onChange={onChange} />
      <Select
        w={150}
        size="xs"
        aria-label={words.refresh}
        data={intervals.map((value) => ({ value: String(value), label: words.every(value) }))}
        value={String(seconds)}
        onChange={(value) => {
          const chosen = Number(value);
          onChange({ refresh: chosen === refreshSeconds ? undefined : chosen });
        }}
        allowDeselect={false}
      />
    </Group>
  );
}
