// Markdown of this repository as HTML: text is escaped, raw HTML is shown as text, headings have
// anchors, and links lead to pages of the site or to other sites.
import { posix } from 'node:path';
import { Marked } from 'marked';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text) {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);
}

/** The anchor that Markdown readers give a heading. */
function anchorOf(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Where a link of a page leads; null for a file of the repository that is no page. */
function targetOf(page, href, addresses) {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const file = posix.join(posix.dirname(page.file), path);
  const address = addresses.get(file) ?? addresses.get(posix.join(file, 'README.md'));
  if (address === undefined) return null;
  const relative = posix.relative(posix.dirname(page.address), address);
  return anchor ? `${relative}#${anchor}` : relative;
}

function plain(tokens) {
  return tokens.map((token) => (token.tokens ? plain(token.tokens) : (token.text ?? ''))).join('');
}

/** `{ html, sections }` of a page; a section is a heading with the text below it, for the search. */
export function render(page, addresses) {
  const sections = [{ anchor: '', title: page.title, depth: 1, text: '' }];
  const renderer = {
    heading({ tokens, depth }) {
      const title = plain(tokens);
      const anchor = anchorOf(title);
      if (depth > 1) sections.push({ anchor, title, depth, text: '' });
      const link =
        depth > 1
          ? `<a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(title)}">#</a>`
          : '';
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(page, href, addresses);
      if (target === null) return text;
      const away = /^https?:/.test(target) ? ' rel="noreferrer"' : '';
      return `<a href="${escapeHtml(target)}"${away}>${text}</a>`;
    },
    // Pictures of the console would be most of the package, and the console is at hand.
    image: () => '',
    html: ({ text }) => escapeHtml(text),
    code({ text, lang }) {
      const label = lang ? ` data-language="${escapeHtml(lang)}"` : '';
      return `<pre tabindex="0"${label}><code>${escapeHtml(text)}</code></pre>\n`;
    },
    table(token) {
      const inline = ({ tokens }) => this.parser.parseInline(tokens);
      const rows = token.rows.map((row) => row.map(inline));
      if (rows.flat().join('') === '') return '';
      const head = token.header.map(inline);
      // An empty cell heads nothing.
      const th = (text) => (text === '' ? '<td></td>' : `<th scope="col">${text}</th>`);
      const header = head.join('') === '' ? '' : `<thead><tr>${head.map(th).join('')}</tr></thead>`;
      const body = rows.map((row) => `<tr><td>${row.join('</td><td>')}</td></tr>`).join('\n');
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${header}<tbody>${body}</tbody></table></div>\n`;
    },
  };
  const marked = new Marked({ gfm: true, renderer });
  const tokens = marked.lexer(page.text);
  const html = marked.parser(tokens).replaceAll(/<p>\s*<\/p>\n?/g, '');
  return { html, sections: withText(marked, tokens, sections) };
}

/** Collects the text of each section, in the order of the headings. */
function withText(marked, tokens, sections) {
  const collected = sections.map((section) => ({ ...section }));
  let index = 0;
  for (const token of tokens) {
    if (token.type === 'heading') index += token.depth > 1 ? 1 : 0;
    else
      marked.walkTokens([token], ({ type, text, tokens: inner }) => {
        if (!inner && text && type !== 'html') collected[index].text += ` ${text}`;
      });
  }
  return collected;
}
