/**
 * What the browser keeps for us between visits. Storage may be full or forbidden; then nothing is
 * kept, and nothing breaks.
 */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`fieldwatch.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`fieldwatch.${name}`);
    else localStorage.setItem(`fieldwatch.${name}`, value);
  } catch {
    // See above.
  }
}

/** Told when another tab changed it. */
export function onKeptElsewhere(
  name: string,
  listener: (value: string | null) => void,
): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === `fieldwatch.${name}`) listener(newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
