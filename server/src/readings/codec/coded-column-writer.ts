import { ByteWriter } from './byte-writer.ts';
import { codeLengthsOf, MAX_SYMBOLS, writeLengths } from './huffman.ts';
import { writeIntegers } from './integer-writer.ts';
import { RANGE_SYMBOLS } from './residual-plan.ts';
import { LINES, type ZoneModel } from './zone-models.ts';
import { ZONE_SIZE, zonesOf } from './zone-size.ts';
import { packStreams, type ResidualCode, residualCode, symbolOf } from './zone-streams.ts';

/** A column whose residuals are coded, a zone at a time. */
export interface CodedZones {
  readonly lengths: Uint8Array;
  /** The exceptions and the streams of each zone. */
  readonly zones: readonly Uint8Array[];
  readonly exceptionCounts: Float64Array;
}

export function codeZones(model: ZoneModel, count: number): CodedZones {
  const { residuals, plan } = model;
  const counts = new Uint32Array(MAX_SYMBOLS);
  for (let index = 0; index < count; index += 1) {
    const symbol = symbolOf(residuals[index] as number, plan);
    counts[symbol] = (counts[symbol] as number) + 1;
  }
  let symbols = MAX_SYMBOLS;
  while (counts[symbols - 1] === 0) symbols -= 1;
  const lengths = codeLengthsOf(counts.subarray(0, symbols));
  const code = residualCode(plan, lengths);
  const hasExceptions = symbols === MAX_SYMBOLS;
  const exceptionCounts = new Float64Array(zonesOf(count));
  const zones = Array.from(exceptionCounts, (_, zone) => {
    const start = zone * ZONE_SIZE;
    const end = Math.min(start + ZONE_SIZE, count);
    const streams = packStreams(residuals, start, end, code);
    if (!hasExceptions) return streams;
    const writer = new ByteWriter(streams.length + 64);
    exceptionCounts[zone] = writeExceptions(writer, residuals, start, end, code);
    writer.append(streams);
    return writer.bytes.subarray(0, writer.length);
  });
  return { lengths, zones, exceptionCounts };
}

/** Returns how many there are. */
function writeExceptions(
  writer: ByteWriter,
  residuals: Float64Array,
  start: number,
  end: number,
  { plan }: ResidualCode,
): number {
  let exceptions = 0;
  for (let index = start; index < end; index += 1) {
    const residual = residuals[index] as number;
    if (symbolOf(residual, plan) !== RANGE_SYMBOLS) continue;
    writer.signed(residual - plan.low);
    exceptions += 1;
  }
  return exceptions;
}

/** Writes everything of the first zones but their bytes. */
export function writeCodedHead(
  head: ByteWriter,
  { model, plan, bases, slopes }: ZoneModel,
  { lengths, zones, exceptionCounts }: CodedZones,
  zoneCount: number,
): void {
  const sizes = Float64Array.from(zones, ({ length }) => length);
  head.byte(model);
  head.signed(plan.low);
  head.byte(plan.shift);
  writeLengths(head, lengths);
  writeIntegers(head, sizes, zoneCount);
  writeIntegers(head, Float64Array.from(bases), zoneCount);
  if (model === LINES) writeIntegers(head, Float64Array.from(slopes), zoneCount);
  if (lengths.length === MAX_SYMBOLS) {
    writeIntegers(head, Float64Array.from(exceptionCounts), zoneCount);
  }
}
