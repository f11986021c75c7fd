import { GRID_COLUMNS } from '@fieldwatch/contract';
import { Text, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { GridLayout, type LayoutItem, noCompactor } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { areaByKey, nameOf, ROW_PX, Tile, type Widget, withArea } from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import classes from './editor-grid.module.css';

const words = strings.dashboards.edit;
const GRID = {
  cols: GRID_COLUMNS,
  rowHeight: ROW_PX,
  margin: [10, 10],
  containerPadding: [0, 0],
} as const;

const MIN_HEIGHT_PX = 300;

interface Props {
  readonly widgets: readonly Widget[];
  /** The widgets as they are shown: those of a template with the Variables of a site or an Asset. */
  readonly shown: readonly Widget[];
  readonly selectedId: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onChange: (widgets: Widget[]) => void;
  readonly onDuplicate: (widget: Widget) => void;
  readonly onRemove: (widget: Widget) => void;
}

/** The height of the grid, which it has before its width is known. */
function heightOf(widgets: readonly Widget[]): number {
  const rows = Math.max(0, ...widgets.map(({ y, h }) => y + h));
  return Math.max(MIN_HEIGHT_PX, rows * (ROW_PX + GRID.margin[1]));
}

/** Widgets that are dragged by their title bar, resized at their corner, or moved by keyboard. */
export function EditorGrid(props: Props) {
  const { widgets, shown, selectedId, onSelect, onChange, onDuplicate, onRemove } = props;
  const shownById = new Map(shown.map((widget) => [widget.id, widget]));
  const { ref, width } = useElementSize();
  const selected = widgets.find(({ id }) => id === selectedId);
  const drop = (_layout: unknown, before: LayoutItem | null, after: LayoutItem | null) => {
    if (!after) return;
    onSelect(after.i);
    const isSame =
      before &&
      before.x === after.x &&
      before.y === after.y &&
      before.w === after.w &&
      before.h === after.h;
    if (!isSame) onChange(withArea(widgets, after.i, after));
  };
  const press = (widget: Widget, event: KeyboardEvent) => {
    const area = areaByKey(widget, event.key, event.shiftKey);
    if (area) {
      event.preventDefault();
      onSelect(widget.id);
      onChange(withArea(widgets, widget.id, area));
    } else if (event.key === 'd' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onDuplicate(widget);
    } else if (event.key === 'Delete') {
      onRemove(widget);
    }
  };
  return (
    <>
      <div className={classes.scroll}>
        <div ref={ref} className={classes.frame} style={{ minHeight: heightOf(widgets) }}>
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
                  data-selected={widget.id === selectedId || undefined}
                >
                  <Bar
                    widget={widget}
                    isSelected={widget.id === selectedId}
                    onSelect={() => onSelect(widget.id)}
                    onKey={(event) => press(widget, event)}
                  />
                  <div className={classes.content} inert>
                    {/* The bar takes the place of the title, so that the content keeps its final size. */}
                    <Tile widget={{ ...(shownById.get(widget.id) ?? widget), title: '' }} />
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
        {selected
          ? words.areaOf(nameOf(selected), selected.x, selected.y, selected.w, selected.h)
          : null}
      </VisuallyHidden>
    </>
  );
}

interface BarProps {
  readonly widget: Widget;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

function Bar({ widget, isSelected, onSelect, onKey }: BarProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isSelected) return;
    // A new widget is added below all others and may be outside the viewport.
    ref.current?.parentElement?.scrollIntoView({ block: 'nearest' });
    ref.current?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <button
      ref={ref}
      type="button"
      className={classes.bar}
      onClick={onSelect}
      // The grid takes the touch for a possible drag, and no click follows a tap.
      onPointerDown={onSelect}
      onKeyDown={onKey}
      aria-pressed={isSelected}
      aria-label={words.configure(nameOf(widget))}
    >
      {nameOf(widget)}
    </button>
  );
}
