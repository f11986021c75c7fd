/** Totals of steps. */
export interface StepTotals {
  least: number;
  greatest: number;
  sum: number;
  first: number;
  last: number;
}
