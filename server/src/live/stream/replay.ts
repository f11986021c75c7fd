import type { AlarmAnnouncement, AlarmSource } from '../announcement.ts';

/** Pages through the alarm events that a client missed. */
export interface Replay {
  isOver(): boolean;
  isLoading(): boolean;
  next(): Promise<readonly AlarmAnnouncement[]>;
}

export function createReplay(
  source: AlarmSource,
  organizationId: string,
  lastEventId: string,
  pageSize: number,
): Replay {
  let afterId = lastEventId;
  let isOver = false;
  let isLoading = false;
  return {
    isOver: () => isOver,
    isLoading: () => isLoading,
    async next() {
      isLoading = true;
      try {
        const page = (await source.after(organizationId, afterId, pageSize)) ?? [];
        afterId = page.at(-1)?.id ?? afterId;
        isOver = page.length < pageSize;
        return page;
      } finally {
        isLoading = false;
      }
    },
  };
}
