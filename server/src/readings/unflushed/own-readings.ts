import type { Fence, Ownership } from '../../nodes/index.ts';
import { Yielder } from '../../runtime/index.ts';
import { type Columns, columnsOf, sliceOf, sortUnique } from '../columns/index.ts';
import { bufferedIn, latestIn, type Memtable } from '../memtable/index.ts';
import type { TimedValue } from '../reading.ts';
import {
  type Answer,
  type HistoryRef,
  MOVED,
  type Question,
  type SeriesReadings,
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
    // Sorting a million takes half a second, in which nothing else would be acknowledged.
    const yielder = new Yielder(() => 1);
    // Nothing is awaited before all are copied: ownership and memory are those of one moment.
    const copies = series.map((each) => {
      if (!ownership.owns(each.deviceId)) return MOVED;
      return form === 'LATEST' ? latestOf(each) : bufferedIn(memtables(), each, { ...each, to });
    });
    let room = maxBytes;
    const answer: (SeriesReadings | typeof MOVED)[] = [];
    for (const copy of copies) {
      if (copy === MOVED) {
        answer.push(MOVED);
        continue;
      }
      const found = await yielder.run(sortUnique(copy));
      const { count, bytes } = fitting(found, room);
      room = count < found.times.length ? 0 : room - bytes;
      answer.push({ columns: sliceOf(found, 0, count), nextFrom: found.times[count] ?? null });
    }
    return answer;
  };

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
