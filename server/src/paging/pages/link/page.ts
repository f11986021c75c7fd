const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Asks first: mail programs and scanners open every link of a mail. It names nothing of the page. */
export function askPage(): string {
  return page(
    'Acknowledge this page?',
    '<p>Those who would be paged next are not paged, and the events are acknowledged in your name.</p><form method="post"><button type="submit">Acknowledge</button></form>',
  );
}

export function donePage(state: 'ACKNOWLEDGED' | 'RESOLVED'): string {
  return state === 'ACKNOWLEDGED'
    ? page('Acknowledged', '<p>The page is acknowledged. It is yours until its events clear.</p>')
    : page(
        'Resolved already',
        '<p>All events of this page have cleared. Nothing is left to do.</p>',
      );
}
