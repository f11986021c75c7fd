import { escapeControls } from '../../runtime/index.ts';
import type { PageNote } from '../fan-out/index.ts';
import type { Mail } from './mail.ts';

/** The mail of a page: what it is comes first, and the way to acknowledge it last. */
export function withPage(mail: Mail, page: PageNote | undefined, publicUrl: string | null): Mail {
  if (!page) return mail;
  const { id, policyName, title, isTest, chatterCount, acknowledgeUrl } = page;
  const lines = [
    ...(isTest ? ['This is a test: no alarm was raised.'] : [`Escalation policy: ${policyName}`]),
    ...(chatterCount ? [`Chattering: raised ${chatterCount} more times`] : []),
    ...(acknowledgeUrl === null ? [] : [`Acknowledge: ${acknowledgeUrl}`]),
    ...(publicUrl === null ? [] : [`Page: ${publicUrl}/alarms/pages/${id}`]),
  ].map((line) => escapeControls(line));
  const html = lines.map((line) => `<br>${linked(line)}`).join('');
  return {
    subject: `${title}: ${mail.subject}`,
    text: `${mail.text}\n${lines.join('\n')}\n`,
    html: mail.html.replace('</body>', () => `<p>${html.slice('<br>'.length)}</p></body>`),
  };
}

/** Addresses in these lines are of this server, and so hold nothing that HTML would read. */
function linked(line: string): string {
  const [, name, url] = /^(Acknowledge|Page): (\S+)$/.exec(line) ?? [];
  if (name && url) return `<a href="${url}">${name}</a>`;
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
