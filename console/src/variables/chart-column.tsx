import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import type { Column } from '../ui/index.ts';

const words = strings.variables;

/** The name of a Variable with a check box that adds it to the chart. */
export function chartColumn(
  charted: readonly string[],
  onToggle: (variableId: string) => void,
): Column<Variable> {
  return {
    head: words.one,
    cell: ({ id, name }) => (
      <Checkbox
        checked={charted.includes(id)}
        onChange={() => onToggle(id)}
        aria-label={words.chart.show(name)}
        label={
          <Link to={`/variables/${id}`} className="linked">
            {name}
          </Link>
        }
      />
    ),
  };
}
