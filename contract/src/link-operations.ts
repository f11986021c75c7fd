import Type from 'typebox';
import { anyone, type Tag } from './operation.ts';

const htmlPage = {
  status: 200,
  body: Type.String(),
  mediaType: 'text/html; charset=utf-8',
} as const;

/**
 * What the two operations of a link in a message have in common: GET, which mail programs also call,
 * shows a page that asks, and POST does it.
 */
export function linkOperations<const P extends string, const T extends Tag>(
  { tag, path }: { readonly tag: T; readonly path: P },
  texts: { readonly token: string; readonly confirmed: string },
) {
  const link = {
    tag,
    path,
    access: anyone,
    params: { token: Type.String({ description: texts.token }) },
  } as const;
  return {
    show: {
      ...link,
      method: 'GET',
      effect: 'read',
      reply: { ...htmlPage, description: 'A page that asks for confirmation' },
    },
    confirm: {
      ...link,
      method: 'POST',
      effect: 'write',
      takesForms: true,
      reply: { ...htmlPage, description: texts.confirmed },
    },
  } as const;
}
