import type { Severity } from '@fieldwatch/contract';
import { cut, type Format, jsonRequest, summaryOf } from './format.ts';

const COLORS: Readonly<Record<Severity, number>> = {
  CRITICAL: 0xb4_23_18,
  HIGH: 0xd9_5c_0a,
  MEDIUM: 0xc9_8a_04,
  LOW: 0x25_63_eb,
  INFO: 0x64_74_8b,
};
const CLEARED_COLOR = 0x15_80_3d;
const MAX_CONTENT = 2_000;
const MAX_DESCRIPTION = 4_096;

/** A webhook of a Discord channel. */
export const discord: Format = ({ url, message, publicUrl }) => {
  const { title, lines, severity, link } = summaryOf(message, publicUrl);
  const embed = {
    ...(link === null ? {} : { title: 'Open in Fieldwatch', url: link }),
    description: cut(lines.map(escaped).join('\n'), MAX_DESCRIPTION),
    color: message.type === 'alarm.cleared' ? CLEARED_COLOR : COLORS[severity],
    timestamp: message.timestamp,
  };
  return jsonRequest(url, {
    content: cut(escaped(title), MAX_CONTENT),
    embeds: [embed],
    // No name notifies a person or everybody.
    allowed_mentions: { parse: [] },
  });
};

function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|>[\]#]/g, '\\$&');
}
