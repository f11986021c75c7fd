import { dirname, join } from 'node:path';
import ts from 'typescript-api';

/** The server's sources with the types of the compiler. */
export interface Program {
  readonly checker: ts.TypeChecker;
  readonly files: readonly ts.SourceFile[];
  /** Files beside the sources that were asked for, with the same types. */
  readonly extraFiles: readonly ts.SourceFile[];
  /** The calls in these files. */
  callsIn(files: readonly ts.SourceFile[]): readonly ts.CallExpression[];
  /** The templates of the tag in these files. */
  templatesIn(files: readonly ts.SourceFile[]): readonly ts.TaggedTemplateExpression[];
  /** Every call in the sources of what is declared here. */
  callsOf(declaration: ts.Node): readonly ts.CallExpression[];
  /** Every call such as `rows.list()` of what is declared as `rows`. */
  methodCallsOf(declaration: ts.Node, method: string): readonly ts.CallExpression[];
  /** The declaration behind an expression that names something, through imports. */
  declarationOf(expression: ts.Node): ts.Declaration | undefined;
  where(node: ts.Node): string;
}

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration;

export function isFunctionNode(node: ts.Node): node is FunctionNode {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  );
}

export function enclosingFunction(node: ts.Node): FunctionNode | undefined {
  for (let up = node.parent; up; up = up.parent) if (isFunctionNode(up)) return up;
  return undefined;
}

export function eachNode(root: ts.Node, visit: (node: ts.Node) => void): void {
  const walk = (node: ts.Node) => {
    visit(node);
    ts.forEachChild(node, walk);
  };
  walk(root);
}

function configOf(root: string): ts.ParsedCommandLine {
  const path = join(root, 'server/tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'server'));
}

/** The packages whose types a statement, a parameter or a row may have. */
const PACKAGES: ReadonlySet<string> = new Set(['@fieldwatch/contract', 'pg', 'typebox']);

/**
 * Reads the sources without their other packages, which are a fifth of all text. What has a type of
 * theirs is `any`, which is reported where a statement takes or returns it.
 */
function createHost(root: string, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const cache = ts.createModuleResolutionCache(root, (name) => name, options);
  const server = join(root, 'server/');
  host.resolveModuleNameLiterals = (names, file, redirected, own, importer) =>
    names.map((name) => {
      const { text } = name;
      if (file.startsWith(server) && text.startsWith('.'))
        return sourceAt(join(dirname(file), text));
      if (file.startsWith(server) && !PACKAGES.has(text)) return { resolvedModule: undefined };
      const mode = ts.getModeForUsageLocation(importer, name, own);
      return ts.resolveModuleName(text, file, own, host, cache, redirected, mode);
    });
  return host;
}

/** Sources import each other by their file names. */
function sourceAt(resolvedFileName: string): ts.ResolvedModuleWithFailedLookupLocations {
  return { resolvedModule: { resolvedFileName, extension: ts.Extension.Ts } };
}

/** The calls and the templates of a file, found in one walk. */
interface Found {
  readonly calls: ts.CallExpression[];
  readonly templates: ts.TaggedTemplateExpression[];
}

function findIn(file: ts.SourceFile): Found {
  const found: Found = { calls: [], templates: [] };
  eachNode(file, (node) => {
    if (ts.isCallExpression(node)) found.calls.push(node);
    else if (isSqlTemplate(node)) found.templates.push(node);
  });
  return found;
}

/** Types are computed when they are asked for: the sources as a whole are checked by the compiler. */
export function openProgram(root: string, extraNames: readonly string[]): Program {
  const { fileNames, options, projectReferences } = configOf(root);
  const own = { ...options, noEmit: true, allowImportingTsExtensions: true };
  const program = ts.createProgram({
    rootNames: [...fileNames, ...extraNames],
    options: own,
    host: createHost(root, own),
    ...(projectReferences && { projectReferences }),
  });
  const checker = program.getTypeChecker();
  const sources = join(root, 'server/src/');
  const all = program.getSourceFiles();
  const files = all.filter(({ fileName }) => fileName.startsWith(sources));
  const extraFiles = all.filter(({ fileName }) => extraNames.includes(fileName));

  function declarationOf(expression: ts.Node): ts.Declaration | undefined {
    const symbol = checker.getSymbolAtLocation(expression);
    if (!symbol) return undefined;
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const own = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return own.valueDeclaration ?? own.declarations?.[0];
  }

  const calls = new Map<ts.Node, ts.CallExpression[]>();
  const add = (key: ts.Node, call: ts.CallExpression) => {
    const known = calls.get(key);
    if (known) known.push(call);
    else calls.set(key, [call]);
  };
  const found = new Map([...files, ...extraFiles].map((file) => [file, findIn(file)]));
  for (const call of [...found.values()].flatMap((each) => each.calls)) {
    // A name is resolved without its type; the types of all receivers would take half a minute.
    const { expression } = call;
    const named = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
    const declaration = ts.isIdentifier(named) && declarationOf(named);
    if (declaration) add(declaration, call);
  }

  return {
    checker,
    files,
    extraFiles,
    declarationOf,
    callsIn: (wanted) => wanted.flatMap((file) => found.get(file)?.calls ?? []),
    templatesIn: (wanted) => wanted.flatMap((file) => found.get(file)?.templates ?? []),
    callsOf(declaration) {
      const { parent } = declaration;
      const own = calls.get(ts.isVariableDeclaration(parent) ? parent : declaration) ?? [];
      return own.filter(({ expression }) => ts.isIdentifier(expression));
    },
    methodCallsOf(declaration, method) {
      const own = calls.get(declaration) ?? [];
      return own.filter(
        ({ expression }) =>
          ts.isPropertyAccessExpression(expression) && expression.name.text === method,
      );
    },
    where(node) {
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      return `${file.fileName.slice(root.length)}:${line + 1}`;
    },
  };
}

const isSqlTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql';
