import type { ServerResponse } from 'node:http';

/** The requests under way. */
export interface UnderWay {
  readonly count: number;
  /** Counts a request until its answer has ended, however it ends. */
  add(response: ServerResponse): void;
  /** From now on each connection ends with its answer: kept alive, it would hold up a stop. */
  close(): void;
}

export function createUnderWay(): UnderWay {
  const responses = new Set<ServerResponse>();
  let isClosing = false;
  return {
    get count() {
      return responses.size;
    },
    add(response) {
      responses.add(response);
      response.once('close', () => responses.delete(response));
      if (isClosing) response.setHeader('connection', 'close');
    },
    close() {
      isClosing = true;
      for (const response of responses) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
    },
  };
}
