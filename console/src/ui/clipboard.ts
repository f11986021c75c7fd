import { useCallback, useState } from 'react';

const TOLD_MS = 2_000;

/** The clipboard API is missing on plain HTTP; the old way works everywhere. */
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

/** Copies, and is true for a moment afterwards. */
export function useCopy(): [isCopied: boolean, copy: (text: string) => void] {
  const [isCopied, setIsCopied] = useState(false);
  const copy = useCallback((text: string) => {
    void writeClipboard(text).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), TOLD_MS);
      },
      () => setIsCopied(false),
    );
  }, []);
  return [isCopied, copy];
}
