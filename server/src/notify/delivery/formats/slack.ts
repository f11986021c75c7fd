import { cut, type Format, jsonRequest, summaryOf } from './format.ts';

const MAX_HEADER = 150;
const MAX_SECTION = 3_000;

/** An incoming webhook of Slack, or of Mattermost and Rocket.Chat, which take a channel. */
export const slack: Format = ({ url, message, publicUrl, destination }) => {
  const { title, lines, link } = summaryOf(message, publicUrl);
  const header = { type: 'plain_text', text: cut(title, MAX_HEADER), emoji: false };
  const open = link === null ? '' : `\n<${link}|Open in Fieldwatch>`;
  const text = cutEscaped(lines.map(escaped).join('\n'), MAX_SECTION - open.length) + open;
  return jsonRequest(url, {
    ...(destination === null ? {} : { channel: destination }),
    text: escaped(title),
    blocks: [
      { type: 'header', text: header },
      { type: 'section', text: { type: 'mrkdwn', text } },
    ],
  });
};

/** The three characters with a meaning: without them no name makes a link or mentions anybody. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Ends before an entity rather than within it. */
function cutEscaped(text: string, max: number): string {
  return cut(text, max).replace(/&[a-z]*…$/, '…');
}
