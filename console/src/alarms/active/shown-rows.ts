import type { AlarmEvent } from '../../service/index.ts';

/** How long a row stays in its place after its alarm has left the list. */
export const FADE_MS = 10_000;

/** A row of the list. `goneSinceMs` is set when its alarm has been cleared or no longer matches. */
export interface ShownRow {
  readonly event: AlarmEvent;
  readonly goneSinceMs: number | null;
}

export interface ShownRows {
  readonly rows: readonly ShownRow[];
  /** Alarms that are not shown yet, since a new row would move the others. */
  readonly waitingCount: number;
}

export const NO_ROWS: ShownRows = { rows: [], waitingCount: 0 };

export interface ListUpdate {
  /** The alarms that belong in the list. */
  readonly matching: readonly AlarmEvent[];
  /** All active alarms by id, also those that do not match. */
  readonly active: ReadonlyMap<string, AlarmEvent>;
  readonly arrange: (events: readonly AlarmEvent[]) => readonly AlarmEvent[];
  /** Whether a user is reading or working in the list, so that no row may move. */
  readonly isHeld: boolean;
  readonly nowMs: number;
}

/**
 * The rows after an update. While the list is held, every row keeps its place: new alarms wait, and
 * those that left stay. Returns the same object when nothing changes.
 */
export function updateRows(shown: ShownRows, update: ListUpdate): ShownRows {
  const { matching, arrange, isHeld } = update;
  const known = new Set(shown.rows.map(({ event }) => event.id));
  const kept = keptRows(shown.rows, update);
  const fresh = matching.filter(({ id }) => !known.has(id));
  if (isHeld && shown.rows.length > 0) return withRows(shown, kept, fresh.length);
  const byId = new Map(kept.map((row) => [row.event.id, row]));
  const rows = arrange([...kept.map(({ event }) => event), ...fresh]).map(
    (event) => byId.get(event.id) ?? { event, goneSinceMs: null },
  );
  return withRows(shown, rows, 0);
}

function keptRows(
  rows: readonly ShownRow[],
  { matching, active, isHeld, nowMs }: ListUpdate,
): readonly ShownRow[] {
  const belongs = new Set(matching.map(({ id }) => id));
  return rows.flatMap((row) => {
    const event = active.get(row.event.id) ?? row.event;
    if (belongs.has(event.id)) {
      return row.event === event && row.goneSinceMs === null ? row : { event, goneSinceMs: null };
    }
    const goneSinceMs = row.goneSinceMs ?? nowMs;
    if (!isHeld && nowMs - goneSinceMs >= FADE_MS) return [];
    return row.event === event && row.goneSinceMs === goneSinceMs ? row : { event, goneSinceMs };
  });
}

function withRows(shown: ShownRows, rows: readonly ShownRow[], waitingCount: number): ShownRows {
  const isSame =
    shown.waitingCount === waitingCount &&
    shown.rows.length === rows.length &&
    rows.every((row, index) => {
      const before = shown.rows[index];
      return before?.event === row.event && before.goneSinceMs === row.goneSinceMs;
    });
  return isSame ? shown : { rows, waitingCount };
}
