import { ByteWriter } from './byte-writer.ts';
import { MAX_READINGS } from './chunk-header.ts';
import { type CodedZones, codeZones, writeCodedHead } from './coded-column-writer.ts';
import { fitDecimals } from './decimal-encoding.ts';
import { INTEGER_LIMIT, toSteps, writeIntegers } from './integer-writer.ts';
import { planSparse, type SparsePlan, writeSparse } from './sparse-column.ts';
import { writeDictionary } from './strings.ts';
import { writeZoneMap } from './zone-map-writer.ts';
import { chooseModel, type ZoneModel } from './zone-models.ts';
import { ZONE_SIZE } from './zone-size.ts';
import {
  CODED,
  joinZoned,
  PACKED,
  SPARSE,
  writeZonedHead,
  zoneChecksumOf,
} from './zoned-chunk-header.ts';

type Columns =
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

/** Encodes readings in zones; undefined when their times or numbers have another form. */
export function encodeZoned(
  times: ArrayLike<number>,
  columns: Columns,
  count: number,
): Uint8Array | undefined {
  const head = new ByteWriter(512);
  const data = new ByteWriter(64 + count);
  writeZonedHead(head, columns.kind, count);
  const timeForm = writeTimes(head, times, count);
  if (!timeForm) return undefined;
  if (columns.kind === 'NUMBER') {
    const valueForm = writeNumbers(head, columns.values, count);
    if (!valueForm) return undefined;
    writeZones(head, data, [timeForm, valueForm]);
  } else {
    writeZones(head, data, [timeForm]);
    if (columns.kind === 'BOOLEAN') {
      for (let index = 0; index < count; index += 1) {
        valueSteps[index] = columns.values[index] ? 1 : 0;
      }
    } else {
      writeDictionary(data, columns.values, count, valueSteps);
    }
    writeIndexes(head, data, count);
  }
  return joinZoned(head, data);
}

function writeTimes(head: ByteWriter, times: ArrayLike<number>, count: number): Form | undefined {
  const first = times[0] as number;
  if ((times[count - 1] as number) - first > INTEGER_LIMIT) return undefined;
  for (let index = 0; index < count; index += 1)
    timeSteps[index] = (times[index] as number) - first;
  const { step } = toSteps(timeSteps, count);
  const form = formOf(timeSteps, count);
  if (!form) return undefined;
  head.double(first);
  head.varint(step);
  writeForm(head, form);
  if (form.coded) {
    const { length } = form.coded.model.bases;
    const starts = Float64Array.from(
      { length },
      (_, zone) => timeSteps[zone * ZONE_SIZE] as number,
    );
    writeIntegers(head, starts, length);
    head.varint(timeSteps[count - 1] as number);
  }
  return form;
}

function writeForm(head: ByteWriter, { sparse, coded }: Form): void {
  head.byte(sparse ? SPARSE : CODED);
  if (sparse) writeSparse(head, sparse);
  else writeCodedHead(head, coded.model, coded.zones);
}

function writeNumbers(head: ByteWriter, values: Float64Array, count: number): Form | undefined {
  const fit = fitDecimals(values, count, valueSteps);
  if (!fit || fit.exceptions.length > 0) return undefined;
  const { encoding } = fit;
  const { first, step } = toSteps(valueSteps, count);
  const form = formOf(valueSteps, count);
  if (!form) return undefined;
  head.byte(encoding.code);
  head.signed(first);
  head.varint(step);
  writeForm(head, form);
  if (form.coded) {
    const { model } = form.coded;
    writeZoneMap(head, { count, model, steps: valueSteps, first, step, encoding, values });
    head.signed(valueSteps[count - 1] as number);
  }
  return form;
}

/** Writes the zones of all columns one after the other, and their checksums into the head. */
function writeZones(head: ByteWriter, data: ByteWriter, forms: readonly Form[]): void {
  const coded = forms.flatMap((form) => (form.coded ? [form.coded.zones.zones] : []));
  for (const [zone] of coded[0]?.entries() ?? []) {
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
    writeSparse(head, sparse);
  } else {
    writeIntegers(data, packed, count);
  }
  // Bit packing reads up to four bytes past its last value.
  data.uint32(0);
}
