export { ArrivalAlignment } from './arrival-alignment.ts';
export { Ticker } from './ticker.ts';
