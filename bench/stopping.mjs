// A benchmark that is told to end leaves nothing behind: no PostgreSQL, no server, no directory.

/**
 * Answers a function that stops what was started, once however often it is called. A signal calls
 * it too, and then ends this process.
 */
export function stoppedOnSignal(stop) {
  let stopped;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  const end = (signal) => {
    console.error(`${signal}: stopping what was started`);
    stopOnce()
      .catch((error) => console.error(error))
      .finally(() => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  return stopOnce;
}
