import { rounded } from '../random.ts';
import type { PowerState } from '../timeline.ts';
import type { Plant } from './equipment.ts';

/** The power of one feeder: zero while it has no voltage. */
export function feederKw(plant: Plant, feeder: number, state: PowerState, at: number): number {
  return state.isLoadEnergized ? (plant.curves[feeder]?.kwAt(at) ?? 0) : 0;
}

/** The power of all feeders together, which the source supplies. */
export function loadKw(plant: Plant, state: PowerState, at: number): number {
  let sum = 0;
  for (let feeder = 0; feeder < plant.curves.length; feeder += 1) {
    sum += feederKw(plant, feeder, state, at);
  }
  return rounded(sum, 1);
}
