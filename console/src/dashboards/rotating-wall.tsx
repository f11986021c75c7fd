import { useEffect, useState } from 'react';
import { useRead } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Failed, Loading } from '../ui/index.ts';
import type { BoardFilters } from './board-filters.ts';
import { usePublished } from './published.ts';
import { ShownBoard } from './shown-board.tsx';
import { Wall } from './wall.tsx';
import { DEFAULT_ROTATION_SECONDS } from './wall-filters.ts';

const words = strings.dashboards.view;

interface Props {
  readonly boardIds: readonly string[];
  readonly filters: BoardFilters;
  readonly onFilters: (change: Partial<BoardFilters>) => void;
}

/** One board on a wall, or several in turn. A board that cannot be read is named and does not stop the others. */
export function RotatingWall({ boardIds, filters, onFilters }: Props) {
  const { seconds = DEFAULT_ROTATION_SECONDS } = filters;
  const [turn, setTurn] = useState(0);
  const isRotating = boardIds.length > 1;
  const dashboardId = boardIds[turn % boardIds.length] ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn by hand restarts the time of a board.
  useEffect(() => {
    if (!isRotating) return;
    const timer = setTimeout(() => setTurn((before) => before + 1), seconds * 1_000);
    return () => clearTimeout(timer);
  }, [isRotating, seconds, turn]);
  const query = useRead('retrieveDashboard', { dashboardId }, { refetchIntervalMs: 60_000 });
  const published = usePublished(query.data);
  const { data: dashboard, error } = query;
  const position = (turn % boardIds.length) + 1;
  return (
    <Wall
      name={dashboard?.name ?? strings.dashboards.one}
      note={isRotating ? words.turn(position, boardIds.length) : null}
      onNext={isRotating ? () => setTurn(turn + 1) : undefined}
      onLeave={() => onFilters({ wall: undefined, boards: undefined, seconds: undefined })}
    >
      {error && !dashboard ? <Failed error={error} onRetry={() => void query.refetch()} /> : null}
      {dashboard && published.isKnown ? (
        <ShownBoard
          key={dashboard.id}
          configuration={published.configuration ?? dashboard.configuration}
          refreshSeconds={dashboard.refreshIntervalSeconds}
          filters={filters}
          onFilters={onFilters}
          hasControls={false}
        />
      ) : error ? null : (
        <Loading rows={3} height={120} />
      )}
    </Wall>
  );
}
