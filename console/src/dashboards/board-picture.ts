/**
 * Draws an element as the browser shows it: a copy with its computed styles inside an SVG, which is
 * drawn onto a canvas. Canvases are copied as pictures. Pictures of other servers cannot be read by a
 * page, so their text stands for them. Safari does not allow this; the caller offers printing there.
 */
export async function elementPng(element: HTMLElement, background: string): Promise<Blob> {
  const { width, height } = element.getBoundingClientRect();
  const scale = Math.min(window.devicePixelRatio || 1, MAX_PIXELS / Math.max(width, height, 1));
  const copy = styledCopy(element);
  copy.style.margin = '0';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<foreignObject width="100%" height="100%">${new XMLSerializer().serializeToString(copy)}` +
    '</foreignObject></svg>';
  const picture = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas here');
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.drawImage(picture, 0, 0);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}

/** More would exceed what browsers allow for a canvas. */
const MAX_PIXELS = 8_000;

function loaded(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error('the board could not be drawn'));
    picture.src = url;
  });
}

function styledCopy(element: HTMLElement): HTMLElement {
  const copy = element.cloneNode(true) as HTMLElement;
  const originals = [element, ...element.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, original] of originals.entries()) {
    const target = copies[index];
    if (target instanceof HTMLElement || target instanceof SVGElement) {
      inlineStyles(original, target);
    }
    if (original instanceof HTMLCanvasElement) replaceCanvas(original, target);
    if (original instanceof HTMLImageElement) replaceForeignImage(original, target);
  }
  return copy;
}

function inlineStyles(original: Element, target: HTMLElement | SVGElement): void {
  const computed = getComputedStyle(original);
  let text = '';
  for (const name of computed) text += `${name}:${computed.getPropertyValue(name)};`;
  target.setAttribute('style', text);
  target.removeAttribute('id');
}

function replaceCanvas(original: HTMLCanvasElement, target: Element | undefined): void {
  const picture = document.createElement('img');
  picture.src = original.toDataURL('image/png');
  picture.setAttribute('style', target?.getAttribute('style') ?? '');
  target?.replaceWith(picture);
}

function replaceForeignImage(original: HTMLImageElement, target: Element | undefined): void {
  if (original.src.startsWith('data:')) return;
  const text = document.createElement('span');
  text.textContent = original.alt;
  target?.replaceWith(text);
}
