import { UnreadableEvent } from './event.ts';

/** The fields of a message of Protobuf by number: integers, and parts by their bytes. */
type Decoded = ReadonlyMap<number, number | Buffer>;

const SKIPPED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

function decode(bytes: Buffer): Decoded {
  const fields = new Map<number, number | Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || scale > 2 ** 63)
        throw new UnreadableEvent('the Protobuf is broken');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) fields.set(number, varint());
    else if (type === 2) {
      const length = varint();
      fields.set(number, bytes.subarray(at, at + length));
      at += length;
    } else {
      const skipped = SKIPPED_BYTES[type];
      if (skipped === undefined) throw new UnreadableEvent('the Protobuf is broken');
      at += skipped;
    }
  }
  if (at > bytes.length) throw new UnreadableEvent('the Protobuf is broken');
  return fields;
}

const numberIn = (fields: Decoded, number: number): number => {
  const value = fields.get(number);
  return typeof value === 'number' ? value : 0;
};

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
