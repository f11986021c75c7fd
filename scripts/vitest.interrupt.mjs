/**
 * A reporter that reports nothing. On a signal vitest exits at once and leaves behind the processes
 * of its global setup, such as a PostgreSQL; this reporter closes them first.
 */
export default class InterruptReporter {
  onInit(vitest) {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.removeAllListeners(signal);
      process.once(signal, async () => {
        void vitest.cancelCurrentRun('keyboard-input');
        await vitest.close();
        process.exit(1);
      });
    }
  }
}
