import type { FastifyInstance } from 'fastify';
import { Failure } from '../runtime/index.ts';

const UTF8_JSON = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined when the bytes are not UTF-8: replacing them would change what the caller sent. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Accepts `application/json` in UTF-8 and no other media type. An empty body counts as none. */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      if (!UTF8_JSON.test(request.headers['content-type'] ?? '')) {
        done(new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.'));
        return;
      }
      if (bytes.length === 0) {
        done(null, undefined);
        return;
      }
      const text = decoded(bytes);
      if (text === undefined) {
        done(new Failure('MALFORMED_BODY', 'The body is not UTF-8.'));
        return;
      }
      parse(request, text, (error, body) => {
        if (error) done(new Failure('MALFORMED_BODY', 'The body is not valid JSON.'));
        else done(null, body);
      });
    },
  );
}
