import type { AlarmAnnouncement, AlarmSource } from '../announcement.ts';

/** The way through the alarm events that a reader missed, a page at a time. */
export interface Resumption {
  isOver(): boolean;
  isLoading(): boolean;
  next(): Promise<readonly AlarmAnnouncement[]>;
}

export function createResumption(
  source: AlarmSource,
  organizationId: string,
  lastEventId: string,
  pageSize: number,
): Resumption {
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
