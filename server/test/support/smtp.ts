import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came, lines ended by `\n`. */
  readonly text: string;
}

/** A mail server that keeps what it is given. */
export interface SmtpServer {
  readonly url: string;
  readonly letters: Letter[];
  /** Refuses recipients with this code from now on; null takes them again. */
  refuse(code: number | null): void;
  /**
   * What the end of the content gets from now on: an answer, none until the next call, or the end of
   * the connection. Content that gets none has arrived all the same.
   */
  answerContent(answer: number | 'NONE' | 'CLOSE'): void;
  /** Connections that are open now. */
  readonly openConnections: () => number;
  /** Whoever sends is refused so from now on; null takes letters again. */
  refuseSender(code: number | null): void;
  stop(): Promise<void>;
}

export async function startSmtp(): Promise<SmtpServer> {
  const letters: Letter[] = [];
  const sockets = new Set<Socket>();
  let refusal: number | null = null;
  let senderRefusal: number | null = null;
  let contentAnswer: number | 'NONE' | 'CLOSE' = 250;
  const held: ((code: number) => void)[] = [];

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const say = (line: string) => socket.write(`${line}\r\n`);
    let from = '';
    let to: string[] = [];
    let data: string[] | undefined;
    let rest = '';

    function onLine(line: string): void {
      if (data) {
        if (line !== '.') data.push(line.replace(/^\./, ''));
        else {
          letters.push({ from, to, text: data.join('\n') });
          data = undefined;
          to = [];
          if (contentAnswer === 'NONE') held.push((code) => say(`${code} late`));
          else if (contentAnswer === 'CLOSE') socket.destroy();
          else say(`${contentAnswer} so be it`);
        }
        return;
      }
      const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
      if (/^EHLO/i.test(line)) say('250 test');
      else if (/^MAIL FROM/i.test(line)) {
        from = address;
        say(senderRefusal === null ? '250 ok' : `${senderRefusal} not you`);
      } else if (/^RCPT TO/i.test(line)) {
        if (refusal !== null) say(`${refusal} no`);
        else {
          to.push(address);
          say('250 ok');
        }
      } else if (/^DATA/i.test(line)) {
        data = [];
        say('354 go on');
      } else if (/^QUIT/i.test(line)) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    }

    say('220 test');
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letters,
    refuse(code) {
      refusal = code;
    },
    openConnections: () => sockets.size,
    answerContent(answer) {
      contentAnswer = answer;
      if (typeof answer === 'number') for (const reply of held.splice(0)) reply(answer);
    },
    refuseSender(code) {
      senderRefusal = code;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
