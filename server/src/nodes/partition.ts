/** The units that nodes divide the Devices among themselves by: the last byte of a Device's id. */
export const PARTITION_COUNT = 256;
