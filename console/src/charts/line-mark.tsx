import { lineColour } from './colours.ts';
import classes from './line-mark.module.css';

interface Props {
  readonly colour: number;
  readonly isCompared: boolean;
}

/** A piece of the line, as the chart draws it. */
export function LineMark({ colour, isCompared }: Props) {
  return (
    <span
      className={classes.mark}
      data-compared={isCompared || undefined}
      style={{ borderColor: lineColour(colour) }}
      aria-hidden
    />
  );
}
