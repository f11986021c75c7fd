/** Messages of Prometheus' remote read, put together and taken apart field by field. */

type FieldValue = number | string | readonly Field[];
export type Field = readonly [number: number, value: FieldValue];

function varint(value: number): number[] {
  const digits = BigInt(value).toString(2);
  const groups = digits.padStart(Math.ceil(digits.length / 7) * 7, '0').match(/.{7}/g) ?? [];
  return groups.reverse().map((bits, index) => {
    return Number.parseInt(bits, 2) + (index < groups.length - 1 ? 128 : 0);
  });
}

export function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.from([number * 8, ...varint(value)]);
      const content = typeof value === 'string' ? Buffer.from(value) : message(value);
      return Buffer.concat([Buffer.from([number * 8 + 2, ...varint(content.length)]), content]);
    }),
  );
}

/** As Snappy has it, without compression: literals of up to 60 bytes. */
export function snappy(content: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from(varint(content.length))];
  for (let at = 0; at < content.length; at += 60) {
    const part = content.subarray(at, at + 60);
    parts.push(Buffer.from([(part.length - 1) * 4]), part);
  }
  return Buffer.concat(parts);
}

export interface ReadSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [at: number, value: number])[];
}

/** The series of each query, from a block that is one literal with a length of four bytes. */
export function seriesIn(block: Buffer): ReadSeries[][] {
  let at = 0;
  while ((block[at] as number) >= 128) at += 1;
  const content = block.subarray(at + 1 + (block.length > at + 1 ? 5 : 0));
  return parts(content).map((result) =>
    parts(result).map((series) => {
      const fields = split(series);
      const labels = fields
        .filter(([number]) => number === 1)
        .map(([, part]) => parts(part).map(String));
      const samples = fields.filter(([number]) => number === 2).map(([, part]) => sampleIn(part));
      return { labels: Object.fromEntries(labels), samples };
    }),
  );
}

function sampleIn(part: Buffer): [number, number] {
  let at = 0n;
  for (const byte of [...part.subarray(10)].reverse()) at = at * 128n + BigInt(byte & 127);
  return [Number(at), part.readDoubleLE(1)];
}

function parts(content: Buffer): Buffer[] {
  return split(content).map(([, part]) => part);
}

/** Fields that have a length, with their numbers. */
function split(content: Buffer): [number, Buffer][] {
  const found: [number, Buffer][] = [];
  for (let at = 0; at < content.length; ) {
    const number = (content[at] as number) >> 3;
    let length = 0;
    let scale = 1;
    do {
      at += 1;
      length += ((content[at] as number) & 127) * scale;
      scale *= 128;
    } while ((content[at] as number) >= 128);
    found.push([number, content.subarray(at + 1, at + 1 + length)]);
    at += 1 + length;
  }
  return found;
}
