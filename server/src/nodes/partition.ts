/** The units that nodes divide the Devices among themselves by. */
export const PARTITION_COUNT = 256;

/** The partition of a Device: the last byte of its id, which is random. */
export function partitionOf(deviceId: string): number {
  return Number.parseInt(deviceId.slice(-2), 16);
}
