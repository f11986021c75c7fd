export {
  type BoundVariable,
  type Filter,
  filterOf,
  type Interest,
  interestOf,
  type OwnedVariable,
  passesDevice,
  type StreamSelection,
} from './filter.ts';
export { createReplay } from './replay.ts';
export { createStream, type Stream } from './stream.ts';
export { alarmText, deviceText, missedText, readyText, type SharedValue } from './text.ts';
