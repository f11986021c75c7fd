export {
  type Asked,
  type BoundVariable,
  filterOf,
  type Interest,
  interestOf,
  type OwnedVariable,
} from './filter.ts';
export { createResumption } from './replay.ts';
export { createStream, type Stream } from './stream.ts';
export { alarmText, deviceText, missedText, readyText, type SharedValue } from './text.ts';
