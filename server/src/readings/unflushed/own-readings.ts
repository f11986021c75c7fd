import type { Fence, Ownership } from '../../nodes/index.ts';
import { type Columns, columnsOf, sliceOf, within } from '../columns/index.ts';
import { bufferedIn, latestIn, type Memtable } from '../memtable/index.ts';
import type { TimedValue } from '../reading.ts';
import {
  type Answer,
  type HistoryRef,
  MOVED,
  type Question,
  type SeriesQuestion,
} from './question.ts';

export interface OwnReadingsDeps {
  readonly fence: Pick<Fence, 'confirm'>;
  readonly ownership: Pick<Ownership, 'owns'>;
  readonly memtables: () => readonly Memtable[];
}

/** Answers a question with at most so many bytes, of the Devices that this node acts for. */
export type AnswerOwn = (question: Question, maxBytes: number) => Promise<Answer>;

const READING_BYTES = 21;
/** Of a string in the answer, beside its characters. */
const STRING_BYTES = 4;
const MAX_BYTES_PER_UNIT = 3;

/**
 * Answers for a Device only while no other node can have taken over from this one: a node that was
 * halted and wakes would otherwise present what it had then as all there is.
 */
export function createAnswerOwn({ fence, ownership, memtables }: OwnReadingsDeps): AnswerOwn {
  return async ({ form, to, series }, maxBytes) => {
    await fence.confirm();
    // Nothing is awaited from here on: ownership and memory are those of one moment.
    let room = maxBytes;
    return series.map((each) => {
      if (!ownership.owns(each.deviceId)) return MOVED;
      const found = form === 'LATEST' ? latestOf(each) : historyOf(each, to);
      const { count, bytes } = fitting(found, room);
      room = count < found.times.length ? 0 : room - bytes;
      return { columns: sliceOf(found, 0, count), nextFrom: found.times[count] ?? null };
    });
  };

  function historyOf({ seriesId, type, from }: SeriesQuestion, to: number): Columns {
    const buffered = bufferedIn(memtables(), seriesId, type);
    return buffered ? within(buffered, from, to) : columnsOf(type, 0);
  }

  function latestOf({ seriesId, type }: HistoryRef): Columns {
    return columnsOfLatest(type, latestIn(memtables(), seriesId));
  }
}

function columnsOfLatest(type: HistoryRef['type'], latest: TimedValue | undefined): Columns {
  const columns = columnsOf(type, latest ? 1 : 0);
  if (latest) {
    columns.times[0] = latest.at;
    columns.values[0] = typeof latest.value === 'boolean' ? Number(latest.value) : latest.value;
  }
  return columns;
}

/** How many of the readings have room, and how many bytes these are at most. */
function fitting({ kind, times, values }: Columns, room: number) {
  if (kind !== 'STRING') {
    const count = Math.min(times.length, Math.floor(room / READING_BYTES));
    return { count, bytes: count * READING_BYTES };
  }
  let bytes = 0;
  for (const [count, text] of values.entries()) {
    const more = READING_BYTES + STRING_BYTES + MAX_BYTES_PER_UNIT * text.length;
    if (bytes + more > room) return { count, bytes };
    bytes += more;
  }
  return { count: times.length, bytes };
}
