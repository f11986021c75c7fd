import { UnstyledButton } from '@mantine/core';
import { strings } from '../strings/index.ts';
import type { Line } from './histories.ts';
import classes from './legend.module.css';
import { LineMark } from './line-mark.tsx';

export interface SeriesActions {
  /** Hides or shows the line; alone with `isOnly`. */
  readonly onToggle: (variableId: string, isOnly: boolean) => void;
  /** The index of the line that is pointed at; null for none. */
  readonly onHover: (line: number | null) => void;
}

interface Props extends SeriesActions {
  readonly lines: readonly Line[];
}

/** The name of each line. */
export function Legend({ lines, onToggle, onHover }: Props) {
  return (
    <ul className={classes.legend}>
      {lines.map((line, index) => (
        <li key={`${line.variable.id} ${line.isCompared}`}>
          <SeriesButton line={line} index={index} onToggle={onToggle} onHover={onHover} />
        </li>
      ))}
    </ul>
  );
}

interface ButtonProps extends SeriesActions {
  readonly line: Line;
  readonly index: number;
}

/** The name of a line, which hides and emphasizes it. */
export function SeriesButton({ line, index, onToggle, onHover }: ButtonProps) {
  const { name, colour, isCompared, isHidden, variable } = line;
  const mark = <LineMark colour={colour} isCompared={isCompared} />;
  const hover = { onPointerEnter: () => onHover(index), onPointerLeave: () => onHover(null) };
  if (isCompared) {
    return (
      <span className={classes.compared} {...hover}>
        {mark}
        {name}
      </span>
    );
  }
  return (
    <UnstyledButton
      className={classes.series}
      aria-pressed={!isHidden}
      title={strings.charts.statistics.hide}
      onClick={(event) => onToggle(variable.id, event.shiftKey)}
      onFocus={() => onHover(index)}
      onBlur={() => onHover(null)}
      {...hover}
    >
      {mark}
      {name}
    </UnstyledButton>
  );
}
