import type { Severity } from '@fieldwatch/contract';
import { factsOf } from '../mail.ts';
import { cut, type Format, jsonRequest, summaryOf } from './format.ts';

const COLORS: Readonly<Record<Severity, string>> = {
  CRITICAL: 'Attention',
  HIGH: 'Attention',
  MEDIUM: 'Warning',
  LOW: 'Accent',
  INFO: 'Accent',
};
/** A message of Teams has at most 28 KB. */
const MAX_TEXT = 5_000;
const MAX_FACT = 500;

/** A workflow of Microsoft Teams, which takes Adaptive Cards alone. */
export const teams: Format = ({ url, message, publicUrl }) => {
  const { title, lines, severity, link } = summaryOf(message, publicUrl);
  const color = message.type === 'alarm.cleared' ? 'Good' : COLORS[severity];
  const heading = {
    type: 'TextBlock',
    text: escaped(cut(title, MAX_FACT)),
    weight: 'Bolder',
    size: 'Medium',
    wrap: true,
    color,
  };
  const content =
    message.type === 'alarm.digest' || message.type === 'text'
      ? { type: 'TextBlock', text: escaped(cut(lines.join('\n\n'), MAX_TEXT)), wrap: true }
      : {
          type: 'FactSet',
          facts: factsOf(message).map(([name, value]) => ({
            title: name,
            value: escaped(cut(value, MAX_FACT)),
          })),
        };
  const actions =
    link === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open in Fieldwatch', url: link }];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [heading, content],
    actions,
  };
  return jsonRequest(url, {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  });
};

/** Cards have a part of Markdown: a name is no link, nor bold. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_[\]]/g, '\\$&');
}
