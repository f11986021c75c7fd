/** Odd, so that there is a median. */
export const SAMPLES = 9;

/** Inserts the `taken`-th sample in order among those before it. */
export function insertSample(sorted: Float64Array, taken: number, sample: number): void {
  let position = taken;
  for (; position > 0 && (sorted[position - 1] as number) > sample; position -= 1) {
    sorted[position] = sorted[position - 1] as number;
  }
  sorted[position] = sample;
}
