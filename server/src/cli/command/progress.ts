import type { Writable } from 'node:stream';

/** The state of long work, on one line of a terminal; elsewhere nothing is written. */
export interface Progress {
  /** `share` is from 0 to 1. */
  update(share: number, text: string): void;
  /** A step of unknown length. */
  step(text: string): void;
  clear(): void;
}

const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

export function createProgress(
  stream: Writable & { readonly isTTY?: boolean; readonly columns?: number },
): Progress {
  let shown = '';
  const show = (text: string) => {
    const line = text.slice(0, Math.max(20, (stream.columns ?? 80) - 1));
    if (!stream.isTTY || line === shown) return;
    stream.write(`${CLEAR_LINE}${line}`);
    shown = line;
  };
  return {
    update: (share, text) => show(`${barText(share)} ${text}`),
    step: show,
    clear() {
      if (shown !== '') stream.write(CLEAR_LINE);
      shown = '';
    },
  };
}

function barText(share: number): string {
  const bounded = Math.min(1, Math.max(0, share));
  const filled = Math.round(bounded * BAR_WIDTH);
  const percent = `${Math.floor(bounded * 100)}`.padStart(3);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${percent} %`;
}
