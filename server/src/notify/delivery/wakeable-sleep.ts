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
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      isWoken = false;
    },
  };
}
