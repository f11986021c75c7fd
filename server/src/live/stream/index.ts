export {
  type BoundVariable,
  filterOf,
  type Interest,
  interestOf,
  type OwnedVariable,
  type StreamSelection,
} from './filter.ts';
export { createReplay } from './replay.ts';
export { createStream, type Stream } from './stream.ts';
export { alarmText, deviceText, missedText, readyText, type SharedValue } from './text.ts';
