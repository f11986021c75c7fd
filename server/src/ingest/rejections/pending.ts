import { Column, type Places, Waiting } from '../../presence/index.ts';
import { addOlder, addOutcome, type Exit, emptyTally, type Outcome, type Tally } from './counts.ts';

/** What became of readings and is not written yet, by the places of their Devices. */
export interface Pending {
  add(place: number, outcome: Outcome): void;
  /** Takes out what waits longest, of so many Devices. */
  take(most: number): Exit[];
  /** What could not be written. */
  putBack(exit: Exit): void;
}

/** Unmatched paths of all Devices together; more are not remembered until these are written. */
const MAX_PATHS = 10_000;

export function createPending(places: Places): Pending {
  const waiting = new Waiting();
  const accepted = new Column();
  /** Of the Devices that sent what was rejected: few. */
  const tallies = new Map<number, Tally>();
  let paths = 0;

  function add(place: number, count: number): void {
    accepted.set(place, accepted.get(place) + count);
    waiting.add(place);
  }

  function tallied(place: number, change: (tally: Tally) => void): void {
    const tally = tallies.get(place) ?? emptyTally(places.idAt(place));
    tallies.set(place, tally);
    const before = tally.unmatched.size;
    change(tally);
    paths += tally.unmatched.size - before;
  }

  function taken(place: number): Exit {
    const tally = tallies.get(place) ?? emptyTally(places.idAt(place));
    tallies.delete(place);
    paths -= tally.unmatched.size;
    const exit = { ...tally, accepted: accepted.get(place) };
    accepted.set(place, 0);
    return exit;
  }

  return {
    add(place, outcome) {
      add(place, outcome.accepted);
      if (outcome.rejected.length === 0) return;
      tallied(place, (tally) => addOutcome(tally, outcome, paths < MAX_PATHS));
    },
    take: (most) => waiting.take(most).map(taken),
    putBack(exit) {
      const place = places.of(exit.deviceId);
      add(place, exit.accepted);
      if (exit.lastRejected.length > 0) tallied(place, (tally) => addOlder(tally, exit));
    },
  };
}
