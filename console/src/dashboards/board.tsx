import { Paper, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import './print.css';
import classes from './board.module.css';
import { inReadingOrder, nameOf, type Widget } from './widget.ts';
import { WidgetBody } from './widgets/index.ts';

/** Marks the board for a picture of it. */
export const BOARD_ID = 'board';

/** The widgets on the grid; on a phone below each other in reading order. */
export function Board({ widgets }: { widgets: readonly Widget[] }) {
  return (
    <div className={classes.board} id={BOARD_ID}>
      {inReadingOrder(widgets).map((widget) => (
        <section
          key={widget.id}
          className={classes.cell}
          aria-label={nameOf(widget)}
          style={
            {
              gridColumn: `${widget.x + 1} / span ${widget.w}`,
              gridRow: `${widget.y + 1} / span ${widget.h}`,
              '--rows': widget.h,
            } as CSSProperties
          }
        >
          <Tile widget={widget} />
        </section>
      ))}
    </div>
  );
}

export function Tile({ widget }: { widget: Widget }) {
  return (
    <Paper withBorder radius="md" p="xs" className={classes.tile}>
      {widget.title ? (
        <Text size="sm" fw={650} truncate>
          {widget.title}
        </Text>
      ) : null}
      <div className={classes.body}>
        <WidgetBody widget={widget} />
      </div>
    </Paper>
  );
}
