import { Paper, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import classes from './board.module.css';
import { inReadingOrder, nameOf, type Widget } from './widget.ts';
import { WidgetBody } from './widgets/index.ts';

interface Props {
  readonly widgets: readonly Widget[];
  readonly refreshIntervalSeconds: number;
}

/** The widgets on the grid; on a phone below each other in reading order. */
export function Board({ widgets, refreshIntervalSeconds }: Props) {
  return (
    <div className={classes.board}>
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
          <Tile widget={widget} refreshMs={refreshIntervalSeconds * 1_000} />
        </section>
      ))}
    </div>
  );
}

export function Tile({ widget, refreshMs }: { widget: Widget; refreshMs: number }) {
  return (
    <Paper withBorder radius="md" p="xs" className={classes.tile}>
      {widget.title ? (
        <Text size="sm" fw={650} truncate>
          {widget.title}
        </Text>
      ) : null}
      <div className={classes.body}>
        <WidgetBody widget={widget} refreshMs={refreshMs} />
      </div>
    </Paper>
  );
}
