export {
  DecodedPayload,
  decodeDocument,
  decodePayload,
  decodePlain,
  type Walked,
  walkDocument,
  walkPayload,
} from './decode.ts';
export { NO_TIMESTAMP } from './time.ts';
export { matchType, type Value } from './value.ts';
export type { RejectedSample, Sample, Sink } from './walk.ts';
