import { createDeferred, endsWithin } from '../../runtime/index.ts';

/** A pause that can be cut short. A wake-up that nobody waits for ends the next pause at once. */
export function createWakeableSleep() {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake(): void {
      isWoken = true;
      end?.();
    },
    async sleep(limitMs: number): Promise<void> {
      if (!isWoken) {
        const woken = createDeferred<void>();
        end = woken.resolve;
        await endsWithin(limitMs, woken.promise);
      }
      end = undefined;
      isWoken = false;
    },
  };
}
