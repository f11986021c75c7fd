// A benchmark that is stopped leaves nothing behind: no PostgreSQL, no server, no directory.

/**
 * Returns a function that stops everything that was started; further calls do nothing. A signal calls
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
