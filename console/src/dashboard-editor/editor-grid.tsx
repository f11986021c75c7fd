import { Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { GridLayout, type LayoutItem, noCompactor } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import {
  COLUMNS,
  nameOf,
  placeByKey,
  ROW_PX,
  Tile,
  type Widget,
  withPlace,
} from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import classes from './editor-grid.module.css';

const words = strings.dashboards.edit;
const GRID = {
  cols: COLUMNS,
  rowHeight: ROW_PX,
  margin: [10, 10],
  containerPadding: [0, 0],
} as const;

interface Given {
  readonly widgets: readonly Widget[];
  readonly refreshMs: number;
  readonly chosenId: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly onChange: (widgets: Widget[]) => void;
}

/** Widgets that are dragged by their bar and resized at their corner, or moved by keys. */
export function EditorGrid({ widgets, refreshMs, chosenId, onChoose, onChange }: Given) {
  const { ref, width } = useElementSize();
  const chosen = widgets.find(({ id }) => id === chosenId);
  const drop = (_layout: unknown, before: LayoutItem | null, after: LayoutItem | null) => {
    if (!after) return;
    onChoose(after.i);
    const isSame =
      before &&
      before.x === after.x &&
      before.y === after.y &&
      before.w === after.w &&
      before.h === after.h;
    if (!isSame) onChange(withPlace(widgets, after.i, after));
  };
  const press = (widget: Widget, event: KeyboardEvent) => {
    const place = placeByKey(widget, event.key, event.shiftKey);
    if (place) {
      event.preventDefault();
      onChange(withPlace(widgets, widget.id, place));
    } else if (event.key === 'Delete') {
      onChoose(null);
      onChange(widgets.filter(({ id }) => id !== widget.id));
    }
  };
  return (
    <>
      <div className={classes.scroll}>
        <div ref={ref} className={classes.frame}>
          {width > 0 ? (
            <GridLayout
              width={width}
              layout={widgets.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h }))}
              gridConfig={GRID}
              compactor={noCompactor}
              dragConfig={{ handle: `.${classes.bar}` }}
              onDragStop={drop}
              onResizeStop={drop}
            >
              {widgets.map((widget) => (
                <div
                  key={widget.id}
                  className={classes.widget}
                  data-chosen={widget.id === chosenId || undefined}
                >
                  <Bar
                    widget={widget}
                    isChosen={widget.id === chosenId}
                    onChoose={() => onChoose(widget.id)}
                    onKey={(event) => press(widget, event)}
                  />
                  <div className={classes.content} inert>
                    {/* The bar has the place of the title, so that the rest is as large as later. */}
                    <Tile widget={{ ...widget, title: '' }} refreshMs={refreshMs} />
                  </div>
                </div>
              ))}
            </GridLayout>
          ) : null}
        </div>
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {words.keys}
      </Text>
      <VisuallyHidden role="status">
        {chosen ? words.placed(nameOf(chosen), chosen.x, chosen.y, chosen.w, chosen.h) : null}
      </VisuallyHidden>
    </>
  );
}

interface BarProps {
  readonly widget: Widget;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Bar({ widget, isChosen, onChoose, onKey }: BarProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A new one comes below all others, perhaps out of sight.
    if (isChosen) ref.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <button
      ref={ref}
      type="button"
      className={classes.bar}
      onClick={onChoose}
      onKeyDown={onKey}
      aria-pressed={isChosen}
      aria-label={words.configure(nameOf(widget))}
    >
      {nameOf(widget)}
    </button>
  );
}
