/**
 * Local storage under the prefix `fieldwatch.`. Storage may be full or forbidden; then reads return
 * null and writes are ignored.
 */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`fieldwatch.${name}`);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`fieldwatch.${name}`);
    else localStorage.setItem(`fieldwatch.${name}`, value);
  } catch {
    // Storage is full or forbidden.
  }
}

/** Calls the listener when another tab changes the value. */
export function onStoredByOtherTab(
  name: string,
  listener: (value: string | null) => void,
): () => void {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === `fieldwatch.${name}`) listener(newValue);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
