import { useElementSize } from '@mantine/hooks';
import { GridLayout, type Layout } from 'react-grid-layout';
import 'react-grid-layout/css/styles.css';
import { COLUMNS, ROW_PX, Tile, type Widget } from '../dashboards/index.ts';
import { strings } from '../strings/index.ts';
import classes from './editor-grid.module.css';

const words = strings.dashboards;

interface Given {
  readonly widgets: readonly Widget[];
  readonly chosenId: string | null;
  readonly onChoose: (id: string) => void;
  readonly onChange: (widgets: Widget[]) => void;
}

/** Whether any widget lies elsewhere than the layout says. */
function moved(widgets: readonly Widget[], layout: Layout): Widget[] | null {
  const places = new Map(layout.map((item) => [item.i, item]));
  const next = widgets.map((widget) => {
    const { x, y, w, h } = places.get(widget.id) ?? widget;
    return { ...widget, x, y, w, h };
  });
  const isSame = next.every((each, index) => {
    const before = widgets[index];
    return (
      before &&
      each.x === before.x &&
      each.y === before.y &&
      each.w === before.w &&
      each.h === before.h
    );
  });
  return isSame ? null : next;
}

/** Widgets that are dragged by their bar and resized at their corner. */
export function EditorGrid({ widgets, chosenId, onChoose, onChange }: Given) {
  const { ref, width } = useElementSize();
  const take = (layout: Layout) => {
    const next = moved(widgets, layout);
    if (next) onChange(next);
  };
  return (
    <div ref={ref} className={classes.frame}>
      {width > 0 ? (
        <GridLayout
          width={width}
          layout={widgets.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h }))}
          gridConfig={{
            cols: COLUMNS,
            rowHeight: ROW_PX,
            margin: [10, 10],
            containerPadding: [0, 0],
          }}
          dragConfig={{ handle: `.${classes.bar}` }}
          onDragStop={take}
          onResizeStop={take}
        >
          {widgets.map((widget) => (
            <div
              key={widget.id}
              className={classes.widget}
              data-chosen={widget.id === chosenId || undefined}
            >
              <button
                type="button"
                className={classes.bar}
                onClick={() => onChoose(widget.id)}
                aria-pressed={widget.id === chosenId}
                aria-label={words.edit.configure(widget.title ?? nameOf(widget))}
              >
                {nameOf(widget)}
              </button>
              <div className={classes.content}>
                <Tile widget={widget} />
              </div>
            </div>
          ))}
        </GridLayout>
      ) : null}
    </div>
  );
}

function nameOf({ type }: Widget): string {
  const names: Readonly<Record<string, string>> = words.types;
  return names[type] ?? type;
}
