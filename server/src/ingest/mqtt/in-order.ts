/** Gives answers in the order of the questions, however their work ends. */
export interface InOrder<T> {
  /** The work must not reject. */
  add(work: Promise<T>, answer: (result: T) => void): void;
  /** Resolves when everything asked so far is answered. */
  answered(): Promise<void>;
}

interface Slot<T> {
  readonly answer: (result: T) => void;
  /** Empty until the work has ended. */
  result: readonly [T] | [];
}

export function createInOrder<T>(): InOrder<T> {
  const slots: Slot<T>[] = [];
  let waiting: (() => void)[] = [];

  function drain(): void {
    for (let slot = slots[0]; slot !== undefined; slot = slots[0]) {
      if (slot.result.length === 0) return;
      slots.shift();
      slot.answer(slot.result[0]);
    }
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    add(work, answer) {
      const slot: Slot<T> = { answer, result: [] };
      slots.push(slot);
      void work.then((result) => {
        slot.result = [result];
        drain();
      });
    },
    answered: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        drain();
      }),
  };
}
