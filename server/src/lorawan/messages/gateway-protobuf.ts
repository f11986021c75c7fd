import { BrokenProtobuf, type Decoded, decodeProtobuf, numberIn } from '../protobuf/index.ts';
import { UnreadableEvent } from './event.ts';

function decode(bytes: Buffer): Decoded {
  try {
    return decodeProtobuf(bytes);
  } catch (error) {
    throw error instanceof BrokenProtobuf ? new UnreadableEvent(error.message) : error;
  }
}

/** `ConnState` of ChirpStack: whether the gateway is online. */
export function connStateOf(bytes: Buffer): boolean {
  return numberIn(decode(bytes), 2) === 1;
}

/** `GatewayStats` of ChirpStack, with the counts since the message before. */
export function gatewayStatsOf(bytes: Buffer) {
  const fields = decode(bytes);
  const time = fields.get(2);
  const moment = Buffer.isBuffer(time) ? decode(time) : undefined;
  return {
    at: moment ? numberIn(moment, 1) * 1_000 + Math.floor(numberIn(moment, 2) / 1e6) : null,
    rxReceived: numberIn(fields, 5),
    rxOk: numberIn(fields, 6),
    txReceived: numberIn(fields, 7),
    txEmitted: numberIn(fields, 8),
  };
}
