/** The size of the largest answer, in bytes of UTF-8: what a model reads without losing its thread. */
export const MAX_ANSWER_BYTES = 20_000;
/** Longer texts, such as values of text Variables, are cut, so that the facts of an answer stay small. */
const MAX_TEXT_LENGTH = 500;

/** What a tool answers: a few facts, and lists whose ends may be cut off. */
export interface Answer {
  readonly facts: Readonly<Record<string, unknown>>;
  /** In order of importance: the last list is cut first. */
  readonly lists?: Readonly<Record<string, readonly unknown[]>>;
  /** A sentence for a list that was cut: how to ask for less. */
  readonly advice: string;
}

/** The answer as JSON of at most `MAX_ANSWER_BYTES`. What was cut is named in its first field. */
export function answerText({ facts, lists = {}, advice }: Answer): string {
  const whole = textOf({ ...facts, ...lists });
  if (bytesOf(whole) <= MAX_ANSWER_BYTES) return whole;
  const names = Object.keys(lists);
  const none = Object.fromEntries(names.map((name) => [name, []]));
  // Counts have the most digits where everything is shown.
  const longestNote = noteOf(lists, lists, advice);
  const size = bytesOf(textOf({ note: longestNote, ...facts, ...none }));
  const shown = shownLists(lists, MAX_ANSWER_BYTES - size);
  return textOf({ note: noteOf(shown, lists, advice), ...facts, ...shown });
}

type Lists = Readonly<Record<string, readonly unknown[]>>;

/** The beginning of the lists, as far as the bytes go. */
function shownLists(lists: Lists, bytes: number): Lists {
  let left = bytes;
  const fits = (item: unknown) => {
    left -= bytesOf(textOf(item)) + 1;
    return left >= 0;
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, items]) => {
      const end = items.findIndex((item) => !fits(item));
      return [name, end === -1 ? items : items.slice(0, end)];
    }),
  );
}

function noteOf(shown: Lists, lists: Lists, advice: string): string {
  const counts = Object.entries(lists).map(
    ([name, { length }]) => `${shown[name]?.length ?? 0} of ${length} ${name}`,
  );
  return `Cut to ${MAX_ANSWER_BYTES / 1000} kB: ${counts.join(', ')} are shown. ${advice}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' && each.length > MAX_TEXT_LENGTH
      ? `${each.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`
      : each,
  );
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
