/** Computes something of a source once: several rules ask for it. */
export function perSource<T>(compute: (source: string) => T): (source: string) => T {
  const known = new Map<string, T>();
  return (source) => {
    const found = known.get(source) ?? compute(source);
    known.set(source, found);
    return found;
  };
}
