import { describe, expect, it } from 'vitest';
import type { Kind } from '../columns/columns.ts';
import { readItems } from './block-reader.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { appendChecksum, writeHead } from './chunk-header.ts';
import { decode, visitNumbers } from './chunk-reader.ts';
import { DamagedChunk } from './damaged-chunk.ts';
import { writeIntegers } from './integer-writer.ts';
import { writeTimes } from './times.ts';

/** A chunk with a right checksum, good times, and whatever values. */
function craft(kind: Kind, count: number, writeValues: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter(0);
  writeHead(writer, 1, kind, count);
  const times = Float64Array.from({ length: count }, (_, index) => index);
  writer.section(() => writeTimes(writer, times, count, new Float64Array(count)));
  writeValues(writer);
  return appendChecksum(writer);
}

function integers(writer: ByteWriter, ...list: number[]): void {
  writeIntegers(writer, Float64Array.from(list), list.length);
}

function readerOf(...bytes: number[]): ByteReader {
  const all = Uint8Array.of(...bytes, 0, 0, 0, 0);
  return new ByteReader(all, new DataView(all.buffer), 0, bytes.length);
}

describe('a chunk with a valid checksum is refused', () => {
  it.each<[string, Uint8Array, RegExp]>([
    ['without readings', craft('NUMBER', 0, () => undefined), /count is impossible/],
    ['with too many readings', craft('BOOLEAN', 65_537, () => undefined), /count is impossible/],
    ['without values', craft('NUMBER', 1, () => undefined), /ends too early/],
    [
      'with values of an unknown form',
      craft('NUMBER', 1, (writer) => writer.byte(28)),
      /values have an unknown form/,
    ],
    [
      'with more exceptions than values',
      craft('NUMBER', 1, (writer) => {
        writer.byte(0);
        writer.varint(2 ** 40);
      }),
      /more exceptions than values/,
    ],
    [
      'with a boolean other than 0 and 1',
      craft('BOOLEAN', 2, (writer) => integers(writer, 1, 2)),
      /no boolean/,
    ],
    [
      'with more strings than values',
      craft('STRING', 1, (writer) => writer.varint(2 ** 50)),
      /more strings than values/,
    ],
    [
      'with a string longer than the chunk',
      craft('STRING', 1, (writer) => {
        writer.varint(1);
        writer.section(() => writer.varint(2 ** 40));
        integers(writer, 0);
      }),
      /ends too early/,
    ],
    [
      'with a string that is missing',
      craft('STRING', 2, (writer) => {
        writer.varint(1);
        writer.section(() => writer.varint(0));
        integers(writer, 0, 1);
      }),
      /not among its strings/,
    ],
    [
      'with a number that has no end',
      craft('NUMBER', 1, (writer) => {
        writer.byte(0);
        for (let byte = 0; byte < 9; byte += 1) writer.byte(255);
      }),
      /has no end/,
    ],
  ])('%s', (_name, bytes, message) => {
    expect(() => decode(bytes)).toThrow(DamagedChunk);
    expect(() => decode(bytes)).toThrow(message);
  });

  it('with times of an unknown form', () => {
    const writer = new ByteWriter(0);
    writeHead(writer, 1, 'NUMBER', 1);
    writer.section(() => {
      writer.double(0);
      writer.double(0);
      writer.byte(2);
      integers(writer, 0);
    });
    expect(() => decode(appendChecksum(writer))).toThrow(/times have an unknown form/);
  });
});

describe('a chunk of version 2 with a valid checksum is refused', () => {
  const SKIP = {
    summaryEnd: () => Infinity,
    addSummary: () => undefined,
    addReadings: () => undefined,
  };

  function columns(
    writeValues: (writer: ByteWriter) => void,
    form: number,
    times: number[] = [0, 1],
  ): Uint8Array {
    const writer = new ByteWriter(0);
    writeHead(writer, 2, 'NUMBER', 2);
    writer.section(() => writeTimes(writer, times, 2, new Float64Array(2)));
    writer.section(() => writeValues(writer));
    writer.byte(form);
    return appendChecksum(writer);
  }

  function encoding(exceptions: number) {
    return (writer: ByteWriter): void => {
      writer.byte(0);
      writer.varint(exceptions);
      integers(writer, 5, 6);
    };
  }

  function doubles(writer: ByteWriter): void {
    writer.byte(255);
    writer.section(() => integers(writer, 0, 0));
    integers(writer, 0, 0);
  }

  it('with booleans', () => {
    const writer = new ByteWriter(0);
    writeHead(writer, 2, 'BOOLEAN', 1);
    expect(() => decode(appendChecksum(writer))).toThrow(/kind has no version 2/);
  });

  it.each<[string, Uint8Array, RegExp]>([
    [
      'with block summaries of values with exceptions',
      columns(encoding(1), 1),
      /has exceptions and block summaries/,
    ],
    [
      'with block summaries of times far apart',
      columns(encoding(0), 1, [-(2 ** 50), 2 ** 50]),
      /have no block summaries/,
    ],
    ['with block summaries of doubles for steps', columns(encoding(0), 3), /not of steps/],
    ['with block summaries of an unknown form', columns(encoding(0), 4), /not of steps/],
    ['with block summaries of steps for doubles', columns(doubles, 1), /not of doubles/],
    ['with block summaries that end too early', columns(doubles, 3), /ends too early/],
  ])('%s', (_name, bytes, message) => {
    expect(() => visitNumbers(bytes, 0, 1, SKIP)).toThrow(DamagedChunk);
    expect(() => visitNumbers(bytes, 0, 1, SKIP)).toThrow(message);
  });

  it('but is accepted when it is valid', () => {
    expect(visitNumbers(columns(encoding(0), 1), 0, 1, SKIP)).toBe(0);
  });
});

describe('a block is refused', () => {
  it('with a width that no integer needs', () => {
    const into = new Float64Array(1);
    const bytes = [0, 0, 0, 0, 0, 0, 0, 0];
    expect(() => readItems(readerOf(...bytes), 53, 0, into, 0, 1)).toThrow(DamagedChunk);
    expect(() => readItems(readerOf(...bytes), 52, 0, into, 0, 1)).not.toThrow();
  });

  it('with an exception beyond its end, and nothing is written there', () => {
    const into = Float64Array.of(7, 7, 7, 7);
    expect(() => readItems(readerOf(1, 2, 9), 128, 5, into, 1, 2)).toThrow(DamagedChunk);
    expect([into[0], into[3]]).toEqual([7, 7]);
  });
});
