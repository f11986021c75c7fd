// Finds sections of the documentation. The index is loaded when somebody begins to search.
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const status = document.querySelector('#search-status');
const base = new URL(document.body.dataset.base, location.href);
const MAX_RESULTS = 12;
const isWide = matchMedia('(min-width: 60rem)');
const pages = document.querySelector('nav.pages > details');
let index;

async function load() {
  index ??= fetch(new URL('search.json', base)).then((reply) => reply.json());
  return await index;
}

/** Titles count more than text, and the beginning of a word more than its middle. */
function score({ title, page, words }, terms) {
  let sum = 0;
  for (const term of terms) {
    const name = `${title} ${page}`.toLowerCase();
    if (title.toLowerCase() === term) sum += 40;
    if (name.includes(term)) sum += 20;
    else if (` ${words}`.includes(` ${term}`)) sum += 5;
    else if (words.includes(term)) sum += 1;
    else return 0;
  }
  return sum;
}

async function search() {
  const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = terms.length > 0 ? await load() : [];
  const found = sections
    .map((section) => ({ ...section, score: score(section, terms) }))
    .filter((section) => section.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS);
  list.replaceChildren(...found.map(itemOf));
  list.hidden = terms.length === 0 || found.length === 0;
  status.textContent =
    terms.length === 0 ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`;
}

function itemOf({ title, page, address }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(address, base);
  const strong = document.createElement('strong');
  strong.textContent = title;
  const small = document.createElement('span');
  small.textContent = page === title ? '' : page;
  link.append(strong, small);
  item.append(link);
  return item;
}

input.addEventListener('focus', () => void load());
input.addEventListener('input', () => void search());
input.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !list.hidden) {
    list.hidden = true;
    input.focus();
  }
  const links = [input, ...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at === -1 || step === undefined || list.hidden) return;
  event.preventDefault();
  links[Math.max(0, Math.min(links.length - 1, at + step))].focus();
});

/** Beside the page the list is always open; a browser that styles closed ones shows it at once. */
function follow() {
  pages.open = isWide.matches;
}

isWide.addEventListener('change', follow);
follow();
if (isWide.matches) pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
