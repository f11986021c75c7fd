import { useEffect, useMemo, useRef, useState } from 'react';
import { type LiveValue, useValueListener } from '../live/index.ts';
import type { NumberHistory, StateHistory } from './histories.ts';
import { extended, extendedStates, type TailBucket, withState, withValue } from './live-tail.ts';

interface Histories {
  readonly numbers: readonly NumberHistory[];
  readonly states: readonly StateHistory[];
}

interface Received {
  readonly numbers: Map<
    string,
    { readonly bucketMs: number; readonly tail: readonly TailBucket[] }
  >;
  readonly states: Map<string, readonly LiveValue[]>;
}

/** The chart is drawn at most this often, however fast values arrive. */
const DRAW_MS = 250;

/** The histories with the values that have arrived since they were read. */
export function useLiveTail({ numbers, states }: Histories): Histories {
  const received = useRef<Received>({ numbers: new Map(), states: new Map() });
  const bucketMsOf = useMemo(
    () => new Map(numbers.map(({ variable, bucketMs }) => [variable.id, bucketMs])),
    [numbers],
  );
  const [version, draw] = useDraw();
  const ids = [...numbers, ...states].map(({ variable }) => variable.id);
  useValueListener(ids, (variableId, live) => {
    const { timestamp, value } = live;
    const bucketMs = bucketMsOf.get(variableId);
    if (bucketMs !== undefined && typeof value === 'number') {
      const known = received.current.numbers.get(variableId);
      const tail = known?.bucketMs === bucketMs ? known.tail : [];
      received.current.numbers.set(variableId, {
        bucketMs,
        tail: withValue(tail, { timestamp, value }, bucketMs),
      });
    } else {
      const known = received.current.states.get(variableId) ?? [];
      received.current.states.set(variableId, withState(known, live));
    }
    draw();
  });
  return useMemo(() => {
    // The received values are mutable; `version` counts their changes.
    void version;
    return {
      numbers: numbers.map((history) => {
        const known = received.current.numbers.get(history.variable.id);
        return known?.bucketMs === history.bucketMs ? extended(history, known.tail) : history;
      }),
      states: states.map((history) =>
        extendedStates(history, received.current.states.get(history.variable.id) ?? []),
      ),
    };
  }, [numbers, states, version]);
}

/** A counter and a function that raises it, a moment later and once for all calls until then. */
function useDraw(): [version: number, draw: () => void] {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const draw = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setVersion((count) => count + 1);
    }, DRAW_MS);
  };
  return [version, draw];
}
