import { Paper, Text } from '@mantine/core';
import classes from './board.module.css';
import { inReadingOrder, type Widget } from './widget.ts';
import { WidgetBody } from './widgets/index.ts';

/** The widgets at their places; on a phone below each other, in the order of reading. */
export function Board({ widgets }: { widgets: readonly Widget[] }) {
  return (
    <div className={classes.board}>
      {inReadingOrder(widgets).map((widget) => (
        <section
          key={widget.id}
          className={classes.place}
          aria-label={widget.title ?? widget.type}
          style={{
            gridColumn: `${widget.x + 1} / span ${widget.w}`,
            gridRow: `${widget.y + 1} / span ${widget.h}`,
          }}
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
