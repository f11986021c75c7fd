interface Timed {
  readonly at: number;
}

interface Source<T> {
  readonly rest: Iterator<T>;
  readonly place: number;
  head: T;
}

function isBefore<T extends Timed>(one: Source<T>, other: Source<T>): boolean {
  return (
    one.head.at - other.head.at < 0 || (one.head.at === other.head.at && one.place < other.place)
  );
}

/** Merges sources that are each in time order. At the same moment, the earlier source comes first. */
export function* inOrder<T extends Timed>(sources: readonly Iterator<T>[]): Generator<T> {
  const heap: Source<T>[] = [];
  for (const [place, rest] of sources.entries()) {
    const first = rest.next();
    if (!first.done) heap.push({ rest, place, head: first.value });
  }
  for (let index = (heap.length >> 1) - 1; index >= 0; index -= 1) sink(heap, index);
  for (let top = heap[0]; top; top = heap[0]) {
    yield top.head;
    const next = top.rest.next();
    if (next.done) {
      const last = heap.pop() as Source<T>;
      if (heap.length === 0) return;
      if (last !== top) heap[0] = last;
    } else {
      top.head = next.value;
    }
    sink(heap, 0);
  }
}

function sink<T extends Timed>(heap: Source<T>[], from: number): void {
  const moved = heap[from] as Source<T>;
  let at = from;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const first =
      right < heap.length && isBefore(heap[right] as Source<T>, heap[left] as Source<T>)
        ? right
        : left;
    if (first >= heap.length || !isBefore(heap[first] as Source<T>, moved)) break;
    heap[at] = heap[first] as Source<T>;
    at = first;
  }
  heap[at] = moved;
}
