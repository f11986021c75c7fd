import type { ByteReader } from './byte-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { pooledDoubles } from './pooled-doubles.ts';
import { zoneChecksumOf } from './zoned-chunk-header.ts';
import type { ZonedNumbers, ZonedTimes } from './zoned-columns.ts';

/** Where the bytes of zones are. Those of a zone are the bytes of its times, then of its values. */
export interface ZoneLayout {
  /** The offset in the data at which each zone begins, and the end of the last. */
  readonly offsets: Float64Array;
  readonly timeSizes: Float64Array | undefined;
  readonly valueSizes: Float64Array | undefined;
  readonly checksums: Uint16Array;
}

/** The layout of zones, by the head of a chunk; it has none where no column is coded. */
export function zoneLayoutIn(
  reader: ByteReader,
  times: ZonedTimes,
  numbers: ZonedNumbers | undefined,
): ZoneLayout {
  const timeSizes = times.coded?.sizes;
  const valueSizes = numbers?.coded?.sizes;
  const zones = timeSizes?.length ?? valueSizes?.length ?? 0;
  const offsets = pooledDoubles(zones + 1);
  offsets[0] = 0;
  const checksums = new Uint16Array(zones);
  for (let zone = 0; zone < zones; zone += 1) {
    const size = (timeSizes?.[zone] ?? 0) + (valueSizes?.[zone] ?? 0);
    if (size < 0) throw new DamagedChunk('a zone in it has no length');
    offsets[zone + 1] = (offsets[zone] as number) + size;
    checksums[zone] = reader.byte() | (reader.byte() << 8);
  }
  return { offsets, timeSizes, valueSizes, checksums };
}

/** The bytes of each column by zone. */
export interface ZoneBytes {
  readonly times: (zone: number) => Uint8Array;
  readonly values: (zone: number) => Uint8Array;
  /** The end of all zones in the data. */
  readonly end: number;
}

/** The bytes of the data from `start` to `end`, exclusive. */
export type DataBytes = (start: number, end: number) => Uint8Array;

/** The zones of a chunk of whose data some parts were read; each zone is checked when it is used. */
export function checkedZones(layout: ZoneLayout, data: DataBytes): ZoneBytes {
  const zones = zonesOf(layout, data);
  const checked = new Uint8Array(layout.checksums.length);
  const check = (zone: number) => {
    if (checked[zone] === 1) return;
    const bytes = data(layout.offsets[zone] as number, layout.offsets[zone + 1] as number);
    if (zoneChecksumOf(bytes) !== layout.checksums[zone]) {
      throw new DamagedChunk('the checksum of a zone does not match');
    }
    checked[zone] = 1;
  };
  const after = (bytesOf: (zone: number) => Uint8Array) => (zone: number) => {
    check(zone);
    return bytesOf(zone);
  };
  return { times: after(zones.times), values: after(zones.values), end: zones.end };
}

/** The zones of a chunk whose data is whole and checked. */
export function zonesIn(
  reader: ByteReader,
  data: Uint8Array,
  times: ZonedTimes,
  numbers: ZonedNumbers | undefined,
): ZoneBytes {
  const layout = zoneLayoutIn(reader, times, numbers);
  if ((layout.offsets.at(-1) ?? 0) > data.length) throw new DamagedChunk('it ends too early');
  return zonesOf(layout, (start, end) => data.subarray(start, end));
}

function zonesOf({ offsets, timeSizes, valueSizes }: ZoneLayout, data: DataBytes): ZoneBytes {
  const timesEnd = (zone: number) => (offsets[zone] as number) + (timeSizes?.[zone] ?? 0);
  return {
    times: (zone) => data(offsets[zone] as number, timesEnd(zone)),
    values: (zone) => data(timesEnd(zone), timesEnd(zone) + (valueSizes?.[zone] ?? 0)),
    end: offsets.at(-1) ?? 0,
  };
}
