/** The units that nodes divide the Devices among themselves by. */
export const PARTITION_COUNT = 256;

/** The partition of a Device: the last byte of its id. */
export function partitionOf(deviceId: string): number {
  const { length } = deviceId;
  return 16 * digitOf(deviceId, length - 2) + digitOf(deviceId, length - 1);
}

/** The value of a hexadecimal digit of either case. */
function digitOf(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 0x3a ? code & 0xf : (code & 0xf) + 9;
}
