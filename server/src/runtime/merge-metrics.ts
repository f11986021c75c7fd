interface Family {
  readonly head: readonly string[];
  readonly samples: string[];
}

/** One text of the metrics of several processes: each sample gets the label `process`. */
export function mergeMetrics(texts: ReadonlyMap<number, string>): string {
  const families = new Map<string, Family>();
  for (const [number, text] of texts) {
    for (const { name, head, samples } of familiesOf(text)) {
      const family = families.get(name) ?? { head, samples: [] };
      family.samples.push(...samples.map((sample) => labelled(sample, number)));
      families.set(name, family);
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples, '']);
  return `${lines.join('\n').trimEnd()}\n`;
}

function* familiesOf(text: string): Generator<Family & { readonly name: string }> {
  for (const part of text.split(/^(?=# HELP )/m)) {
    const lines = part.split('\n').filter((line) => line !== '');
    const [, , name = ''] = (lines[0] ?? '').split(' ');
    if (name === '') continue;
    const isHead = (line: string) => line.startsWith('#');
    yield { name, head: lines.filter(isHead), samples: lines.filter((line) => !isHead(line)) };
  }
}

function labelled(sample: string, number: number): string {
  const [name = '', rest = ''] = sample.split(/(?<=^[^ {]+)(?=[ {])/, 2);
  const label = `process="${number}"`;
  return rest.startsWith('{') ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}
