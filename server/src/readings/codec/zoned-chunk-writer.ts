import { ByteWriter } from './byte-writer.ts';
import { MAX_READINGS } from './chunk-header.ts';
import { type CodedZones, codeZones, writeCodedHead } from './coded-column-writer.ts';
import { type DecimalEncoding, fitDecimals } from './decimal-encoding.ts';
import { INTEGER_LIMIT, toSteps, writeIntegers } from './integer-writer.ts';
import { planSparse, type SparsePlan, writeSparse } from './sparse-column.ts';
import { writeDictionary } from './strings.ts';
import { writeZoneMap } from './zone-map-writer.ts';
import { chooseModel, type ZoneModel } from './zone-models.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';
import {
  CODED,
  joinZoned,
  PACKED,
  SPARSE,
  writeZonedHead,
  zoneChecksumOf,
} from './zoned-chunk-header.ts';

export type ZonedColumns =
  | { readonly kind: 'NUMBER'; readonly values: Float64Array }
  | { readonly kind: 'BOOLEAN'; readonly values: ArrayLike<boolean | number> }
  | { readonly kind: 'STRING'; readonly values: readonly string[] };

// Scratch arrays: written before they are read, within one synchronous call. Memory is taken only as
// far as it was ever used.
const timeSteps = new Float64Array(MAX_READINGS);
const valueSteps = new Float64Array(MAX_READINGS);

/** How the steps of a column are written. */
type Form =
  | { readonly sparse: SparsePlan; readonly coded?: undefined }
  | { readonly sparse?: undefined; readonly coded: { model: ZoneModel; zones: CodedZones } };

function formOf(steps: Float64Array, count: number): Form | undefined {
  const sparse = planSparse(steps, count);
  if (sparse) return { sparse };
  const model = chooseModel(steps, count);
  return model && { coded: { model, zones: codeZones(model, count) } };
}

/** A chunk, and the number of its readings. */
export interface EncodedPart {
  readonly bytes: Uint8Array;
  readonly count: number;
}

/**
 * Encodes readings in zones: as many of the first ones as fit into `maxBytes`, at least one zone.
 * Undefined when their times or numbers have another form.
 */
export function encodeZoned(
  times: ArrayLike<number>,
  columns: ZonedColumns,
  count: number,
  maxBytes: number,
): EncodedPart | undefined {
  const time = planTimes(times, count);
  const number = columns.kind === 'NUMBER' ? planNumbers(columns.values, count) : undefined;
  if (!time || (columns.kind === 'NUMBER' && !number)) return undefined;
  const sizes = zoneSizesOf(number ? [time.form, number.form] : [time.form], count);
  // What a zone takes beside its bytes is known once a chunk is written. One that is too long has
  // fewer zones each time, because it counts with what those of the one before took.
  for (let ownBytes = 0; ; ) {
    const zones = fittingZones(sizes, ownBytes, maxBytes);
    const taken = Math.min(count, zones * ZONE_SIZE);
    const bytes = writeZoned(time, number, columns, taken);
    if (bytes.length <= maxBytes || zones === 1) return { bytes, count: taken };
    const coded = sizes.subarray(0, zones).reduce((sum, size) => sum + size, 0);
    ownBytes = (bytes.length - coded) / zones;
  }
}

/** The coded bytes of each zone. */
function zoneSizesOf(forms: readonly Form[], count: number): Float64Array {
  const sizes = new Float64Array(zonesOf(count));
  for (const { coded } of forms) {
    coded?.zones.zones.forEach(({ length }, zone) => {
      sizes[zone] = (sizes[zone] as number) + length;
    });
  }
  return sizes;
}

/** How many of the first zones fit, at least one. */
function fittingZones(sizes: Float64Array, ownBytes: number, maxBytes: number): number {
  let bytes = 0;
  const end = sizes.findIndex((size) => {
    bytes += size + ownBytes;
    return bytes > maxBytes;
  });
  return end < 0 ? sizes.length : Math.max(1, end);
}

/** The chunk of the first readings. */
function writeZoned(
  time: TimePlan,
  number: NumberPlan | undefined,
  columns: ZonedColumns,
  count: number,
): Uint8Array {
  const head = new ByteWriter(512);
  const data = new ByteWriter(64 + count);
  writeZonedHead(head, columns.kind, count);
  writeTimes(head, time, count);
  if (number && columns.kind === 'NUMBER') writeNumbers(head, number, columns.values, count);
  writeZones(head, data, number ? [time.form, number.form] : [time.form], count);
  if (columns.kind === 'BOOLEAN') {
    for (let index = 0; index < count; index += 1)
      valueSteps[index] = columns.values[index] ? 1 : 0;
    writeIndexes(head, data, count);
  } else if (columns.kind === 'STRING') {
    writeDictionary(data, columns.values, count, valueSteps);
    writeIndexes(head, data, count);
  }
  return joinZoned(head, data);
}

interface TimePlan {
  readonly first: number;
  readonly step: number;
  readonly form: Form;
}

function planTimes(times: ArrayLike<number>, count: number): TimePlan | undefined {
  const first = times[0] as number;
  if ((times[count - 1] as number) - first > INTEGER_LIMIT) return undefined;
  for (let index = 0; index < count; index += 1)
    timeSteps[index] = (times[index] as number) - first;
  const { step } = toSteps(timeSteps, count);
  const form = formOf(timeSteps, count);
  return form && { first, step, form };
}

function writeTimes(head: ByteWriter, { first, step, form }: TimePlan, count: number): void {
  head.double(first);
  head.varint(step);
  writeForm(head, form, count);
  if (!form.coded) return;
  const length = zonesOf(count);
  const starts = Float64Array.from({ length }, (_, zone) => timeSteps[zone * ZONE_SIZE] as number);
  writeIntegers(head, starts, length);
  head.varint(timeSteps[count - 1] as number);
}

function writeForm(head: ByteWriter, { sparse, coded }: Form, count: number): void {
  head.byte(sparse ? SPARSE : CODED);
  if (sparse) writeSparse(head, sparse, count);
  else writeCodedHead(head, coded.model, coded.zones, zonesOf(count));
}

interface NumberPlan {
  readonly encoding: DecimalEncoding;
  readonly first: number;
  readonly step: number;
  readonly form: Form;
}

function planNumbers(values: Float64Array, count: number): NumberPlan | undefined {
  const fit = fitDecimals(values, count, valueSteps);
  if (!fit || fit.exceptions.length > 0) return undefined;
  const { first, step } = toSteps(valueSteps, count);
  const form = formOf(valueSteps, count);
  return form && { encoding: fit.encoding, first, step, form };
}

function writeNumbers(
  head: ByteWriter,
  { encoding, first, step, form }: NumberPlan,
  values: Float64Array,
  count: number,
): void {
  head.byte(encoding.code);
  head.signed(first);
  head.varint(step);
  writeForm(head, form, count);
  if (!form.coded) return;
  const { model } = form.coded;
  writeZoneMap(head, { count, model, steps: valueSteps, first, step, encoding, values });
  head.signed(valueSteps[count - 1] as number);
}

/** Writes the zones of all columns one after the other, and their checksums into the head. */
function writeZones(
  head: ByteWriter,
  data: ByteWriter,
  forms: readonly Form[],
  count: number,
): void {
  const coded = forms.flatMap((form) => (form.coded ? [form.coded.zones.zones] : []));
  if (coded.length === 0) return;
  for (let zone = 0; zone < zonesOf(count); zone += 1) {
    const start = data.length;
    for (const zones of coded) data.append(zones[zone] as Uint8Array);
    const checksum = zoneChecksumOf(data.bytes.subarray(start, data.length));
    head.byte(checksum & 255);
    head.byte(checksum >>> 8);
  }
}

/** Writes the values of booleans and the indexes of strings. */
function writeIndexes(head: ByteWriter, data: ByteWriter, count: number): void {
  const packed = Float64Array.from(valueSteps.subarray(0, count));
  const { first, step } = toSteps(valueSteps, count);
  const sparse = planSparse(valueSteps, count);
  head.byte(sparse ? SPARSE : PACKED);
  if (sparse) {
    head.signed(first);
    head.varint(step);
    writeSparse(head, sparse, count);
  } else {
    writeIntegers(data, packed, count);
  }
  // Bit packing reads up to four bytes past its last value.
  data.uint32(0);
}
