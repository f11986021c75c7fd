import { useCallback, useState } from 'react';

const COPIED_MS = 2_000;

/** The clipboard API is missing on plain HTTP, where `execCommand` still works. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('the browser did not copy');
}

/** `isCopied` is true for a short time after a copy. */
export function useCopy(): [isCopied: boolean, copy: (text: string) => void] {
  const [isCopied, setIsCopied] = useState(false);
  const copy = useCallback((text: string) => {
    void writeClipboard(text).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), COPIED_MS);
      },
      () => setIsCopied(false),
    );
  }, []);
  return [isCopied, copy];
}
