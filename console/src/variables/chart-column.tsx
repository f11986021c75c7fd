import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconChartLine } from '../icons/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { Column } from '../ui/index.ts';

const words = strings.variables;

/** The name of a Variable with a button that adds it to the chart, or removes it. */
export function chartColumn(
  charted: readonly string[],
  onToggle: (variableId: string) => void,
): Column<Variable> {
  return {
    head: words.one,
    sortKey: 'NAME',
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Group gap="xs" wrap="nowrap">
        <ChartToggle
          label={words.chart.show(name)}
          isOn={charted.includes(id)}
          onToggle={() => onToggle(id)}
        />
        <Link to={`/variables/${id}`} className="linked">
          {name}
        </Link>
      </Group>
    ),
  };
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function ChartToggle({ label, isOn, onToggle }: ToggleProps) {
  return (
    <Tooltip label={isOn ? words.chart.hide : words.chart.add}>
      <ActionIcon
        size="sm"
        {...(isOn ? { variant: 'filled' } : { variant: 'subtle', color: 'gray' })}
        aria-label={label}
        aria-pressed={isOn}
        onClick={onToggle}
      >
        <IconChartLine size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
