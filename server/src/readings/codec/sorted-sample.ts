/** Odd, so that one is in the middle. */
export const SAMPLES = 9;

/** Puts the `taken`-th sample to its place among those before it. */
export function insertSample(sorted: Float64Array, taken: number, sample: number): void {
  let place = taken;
  for (; place > 0 && (sorted[place - 1] as number) > sample; place -= 1) {
    sorted[place] = sorted[place - 1] as number;
  }
  sorted[place] = sample;
}
