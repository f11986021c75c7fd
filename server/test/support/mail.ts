import { type Delivery, operations } from '@fieldwatch/contract';
import { type NotificationBench, notificationBench } from './notification-bench.ts';
import { startServer, type TestServer } from './server.ts';
import { type SmtpServer, startSmtp } from './smtp.ts';

/** A server with a mail server of its own, and events to send mail about. */
export interface MailRig {
  readonly smtp: SmtpServer;
  readonly server: TestServer;
  readonly bench: NotificationBench;
  stop(): Promise<void>;
}

export async function startMailRig(env: Readonly<Record<string, string>> = {}): Promise<MailRig> {
  const smtp = await startSmtp();
  const server = await startServer({
    env: {
      FIELDWATCH_SMTP_URL: smtp.url,
      FIELDWATCH_MAIL_FROM: 'alarms@example.org',
      ...env,
    },
  });
  const bench = await notificationBench(server);
  return {
    smtp,
    server,
    bench,
    async stop() {
      await bench.stop();
      await server.stop();
      await smtp.stop();
    },
  };
}

/** An alarm group that notifies one email address; returns the id of the group. */
export async function newMailGroup(server: TestServer, email: string): Promise<string> {
  const body = { name: 'Group', subscriptions: [{ kind: 'EMAIL', email }] };
  return (await server.call(operations.createAlarmGroup, { body })).body.id;
}

/** The deliveries by mail, the newest first. */
export async function listMails(server: TestServer, take = 1000): Promise<Delivery[]> {
  const query = `channels[]=EMAIL&take=${take}`;
  return (await server.call(operations.listDeliveries, { query })).body.items;
}
