const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Asks first: mail programs and scanners open every link of a mail. */
export function askPage(): string {
  return page(
    'Unsubscribe from alarm mail?',
    '<p>The address that this mail was sent to will be removed from the alarm groups that it was sent for.</p><form method="post"><button type="submit">Unsubscribe</button></form>',
  );
}

export function donePage(): string {
  return page(
    'Unsubscribed',
    '<p>The address is no longer in the alarm groups of that mail. An administrator can add it again.</p>',
  );
}
