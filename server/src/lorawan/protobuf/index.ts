export {
  BrokenProtobuf,
  bytesIn,
  type Decoded,
  decodeProtobuf,
  encodeProtobuf,
  numberIn,
  partsIn,
} from './protobuf.ts';
