/** A pause that can be cut short. A ring that nobody waits for ends the next wait at once. */
export function createBell() {
  let isRung = false;
  let hear: (() => void) | undefined;
  return {
    ring(): void {
      isRung = true;
      hear?.();
    },
    async wait(limitMs: number): Promise<void> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          hear = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hear = undefined;
      isRung = false;
    },
  };
}
