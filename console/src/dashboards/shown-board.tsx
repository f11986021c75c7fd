import { useMemo } from 'react';
import type { Dashboard } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Empty, Loading } from '../ui/index.ts';
import { Board } from './board.tsx';
import { BoardControls } from './board-controls.tsx';
import type { BoardFilters } from './board-filters.ts';
import { type BoardView, BoardViewContext, DEFAULT_RANGE_MS } from './board-view.tsx';
import { useResolvedWidgets, useTemplateTargets } from './template.ts';

const words = strings.dashboards.view;

interface Props {
  readonly configuration: Dashboard['configuration'];
  readonly refreshSeconds: number;
  readonly filters: BoardFilters;
  readonly onFilters: (change: Partial<BoardFilters>) => void;
  /** A wall shows the board alone. */
  readonly hasControls: boolean;
}

/** How the filters and the board itself say that it is viewed. */
export function viewOf(
  { rangeSeconds }: Dashboard['configuration'],
  refreshSeconds: number,
  filters: BoardFilters,
): Pick<BoardView, 'choice' | 'rangeMs' | 'refreshMs'> {
  const { last, from, to, refresh = refreshSeconds } = filters;
  return {
    choice: { last, from, to },
    rangeMs: rangeSeconds === undefined ? DEFAULT_RANGE_MS : rangeSeconds * 1_000,
    refreshMs: refresh * 1_000,
  };
}

/** A board with its time range, refresh interval and, for a template, its site or Asset. */
export function ShownBoard(props: Props) {
  const { configuration, refreshSeconds, filters, onFilters, hasControls } = props;
  const targets = useTemplateTargets(configuration.template);
  const target = targets ? (filters.target ?? targets.options?.[0]?.value) : undefined;
  const { widgets, isPending } = useResolvedWidgets(configuration, target);
  const view = useMemo(
    (): BoardView => ({
      ...viewOf(configuration, refreshSeconds, filters),
      onZoom: ({ startMs, endMs }) => onFilters({ last: undefined, from: startMs, to: endMs }),
      hasLinks: true,
    }),
    [configuration, refreshSeconds, filters, onFilters],
  );
  if (configuration.widgets.length === 0) {
    return <Empty title={words.empty}>{words.emptyHint}</Empty>;
  }
  return (
    <BoardViewContext value={view}>
      {hasControls ? (
        <BoardControls
          filters={filters}
          onChange={onFilters}
          refreshSeconds={refreshSeconds}
          targets={targets}
          target={target}
        />
      ) : null}
      {targets?.options?.length === 0 ? (
        <Empty title={words.noTargets[targets.kind]}>{words.noTargetsHint}</Empty>
      ) : isPending ? (
        <Loading rows={3} height={120} />
      ) : (
        <Board widgets={widgets} />
      )}
    </BoardViewContext>
  );
}
