import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Operation } from '@fieldwatch/contract';
import { normalizePath, type Plugin } from 'vite';

/** As the bundler writes it, on every system. */
const path = (name: string) => normalizePath(fileURLToPath(new URL(name, import.meta.url)));
const CONTRACT = path('../contract/src/');
/** Calls that build a schema and nothing else: one that no page uses is left out of the build. */
const SCHEMA_CALL =
  /(?<![.\w]|function )(?:Type\.\w+|operation|permission|userOnly|nullable|oneOf|text|name|listOf|defaulted|filter|hex|byType)\(/g;
const NO_SCHEMAS = '\0no-schemas';
const OPERATIONS = path('../contract/src/operations.ts');

/** What the client needs of an operation to call it; of a schema, only whether there is one. */
export function callFactsOf(operation: Operation) {
  const { id, method, path, access, usesCookie, bodyMediaType, query, body, reply } = operation;
  const { status, mediaType, events } = reply;
  return {
    ...{ id, method, path, access, usesCookie, bodyMediaType },
    ...(query && { query: {} }),
    ...(body && { body: {} }),
    reply: { status, mediaType, ...(events && { events: {} }), ...(reply.body && { body: {} }) },
  };
}

/**
 * A browser loads the operations of the interface without schemas, descriptions and the library that
 * builds them: the server alone checks and documents with these.
 */
export function callFacts(): Plugin {
  return {
    name: 'call-facts',
    enforce: 'pre',
    resolveId: (id) => (id === 'typebox' ? NO_SCHEMAS : null),
    transform: (code, id) =>
      id.startsWith(CONTRACT) ? code.replace(SCHEMA_CALL, '/* @__PURE__ */ $&') : null,
    async load(id) {
      if (id === NO_SCHEMAS) return 'export default new Proxy({}, { get: () => () => ({}) });';
      if (id !== OPERATIONS) return null;
      const { href } = pathToFileURL(path('../contract/dist/operations.js'));
      const built: { operations: Record<string, Operation> } = await import(href);
      const facts = Object.entries(built.operations).map(([key, each]) => [key, callFactsOf(each)]);
      return `export const operations = ${JSON.stringify(Object.fromEntries(facts))};`;
    },
  };
}
