export {
  BrokenProtobuf,
  bytesIn,
  type Decoded,
  decodeProtobuf,
  encodeProtobuf,
  numberIn,
} from './protobuf.ts';
