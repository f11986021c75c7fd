// Builds the documentation as static pages: `node site/build.mjs [folder]`, by default for the server,
// which serves `site/dist` at /docs/guide. Another folder is for a host of your own: without the link
// to the server's reference. Addresses are relative, so that any path will do.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { fromRoot } from '../scripts/run.mjs';
import { escapeHtml, render } from './markdown.mjs';
import { readPages } from './pages.mjs';

const [chosen] = process.argv.slice(2);
const OUT = chosen ? resolve(chosen) : fromRoot('site/dist');
const RECORDS = 'Decision records';
const REFERENCE = '<li><a href="/docs">All operations (OpenAPI)</a></li>';
const COLOURS = [
  'surface',
  'raised',
  'sunken',
  'hover',
  'border',
  'strongBorder',
  'text',
  'dimmed',
];
const OTHERS = ['accent', 'accentTint', 'link', 'deepShadow'];

/** The design tokens of the console as CSS variables, in both themes. */
async function tokens() {
  const bundle = await rolldown({ input: fromRoot('console/src/design/tokens.ts') });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const code = Buffer.from(output[0].code).toString('base64');
  const { FONT_FAMILY, SURFACES } = await import(`data:text/javascript;base64,${code}`);
  const variables = (scheme) =>
    [...COLOURS, ...OTHERS].map((name) => `--${name}: ${SURFACES[scheme][name]}`).join('; ');
  return `:root { color-scheme: light dark; --font: ${FONT_FAMILY}; ${variables('light')} }
@media (prefers-color-scheme: dark) { :root { ${variables('dark')} } }
`;
}

function itemOf(page, current) {
  const href = posix.relative(posix.dirname(current.address), page.address);
  const here = page === current ? ' aria-current="page"' : '';
  return `<li><a href="${href}"${here}>${escapeHtml(page.title)}</a></li>`;
}

function navigation(pages, current) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const reference = group === 'Reference' && !chosen ? REFERENCE : '';
      // The records are many: other pages link to their index only.
      const isShort = group === RECORDS && current.group !== RECORDS;
      const listed = pages.filter((page) => page.group === group).slice(0, isShort ? 1 : undefined);
      const items = listed.map((page) => itemOf(page, current)).join('');
      return `<h2>${isShort ? 'Decisions' : group}</h2><ul>${items}${reference}</ul>`;
    })
    .join('\n');
}

function neighbours(pages, current) {
  const at = pages.indexOf(current);
  const link = (page, name, label) =>
    page
      ? `<a class="${name}" rel="${name}" href="${posix.relative(posix.dirname(current.address), page.address)}"><span>${label}</span>${escapeHtml(page.title)}</a>`
      : '';
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(pages[at - 1], 'prev', 'Previous')}${link(pages[at + 1], 'next', 'Next')}</nav>`;
}

function contents(sections) {
  const items = sections
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  if (items.length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function documentOf(pages, page, { html, sections }) {
  const base = posix.relative(posix.dirname(page.address), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} – Fieldwatch</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/style.css">
<script type="module" src="${base}/search.js"></script>
</head>
<body data-base="${base}/">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${base}/index.html">Fieldwatch <span>docs</span></a>
<form role="search"><label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<ul id="results" hidden></ul><span id="search-status" class="hidden" role="status"></span></form>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages"><details><summary>All pages</summary>
${navigation(pages, page)}
</details></nav>
<main id="content">
${html}${neighbours(pages, page)}
</main>
${contents(sections)}
</div>
</body>
</html>
`;
}

/** Each word once: enough to find a section, and half of its text. */
function entriesOf(page, sections) {
  return sections.map(({ anchor, title, text }) => ({
    title,
    page: page.title,
    address: anchor ? `${page.address}#${anchor}` : page.address,
    words: [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,}/gu) ?? [])].join(' '),
  }));
}

const pages = readPages();
const addresses = new Map(pages.map(({ file, address }) => [file, address]));
await rm(OUT, { recursive: true, force: true });
const entries = [];
for (const page of pages) {
  const rendered = render(page, addresses);
  entries.push(...entriesOf(page, rendered.sections));
  await mkdir(dirname(join(OUT, page.address)), { recursive: true });
  await writeFile(join(OUT, page.address), documentOf(pages, page, rendered));
}
const styles = ['style', 'layout'].map((name) => readFile(fromRoot(`site/${name}.css`), 'utf8'));
await writeFile(join(OUT, 'style.css'), [await tokens(), ...(await Promise.all(styles))].join(''));
await cp(fromRoot('site/search.js'), join(OUT, 'search.js'));
await writeFile(join(OUT, 'search.json'), JSON.stringify(entries));
