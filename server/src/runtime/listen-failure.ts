import { StartFailure } from './start-failure.ts';

/** The operator's sentence for a port that cannot be opened; other errors stay as they are. */
export function listenFailure(
  error: NodeJS.ErrnoException,
  { setting, host, port }: { setting: string; host: string; port: number },
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `${setting}: port ${port} on ${host} is in use by another program; choose another, or 0 for any free one.`,
      );
    case 'EACCES':
      return new StartFailure(
        `${setting}: this user may not listen on port ${port}; choose one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartFailure(`FIELDWATCH_HTTP_HOST: ${host} is not an address of this machine.`);
    default:
      return error;
  }
}
