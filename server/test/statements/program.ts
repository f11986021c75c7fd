import { join } from 'node:path';
import ts from 'typescript-api';

/** The server's sources with the types of the compiler. */
export interface Program {
  readonly checker: ts.TypeChecker;
  readonly files: readonly ts.SourceFile[];
  /** Files beside the sources that were asked for, with the same types. */
  readonly extraFiles: readonly ts.SourceFile[];
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

/** Types are computed when they are asked for: the sources as a whole are checked by the compiler. */
export function openProgram(root: string, extraNames: readonly string[]): Program {
  const { fileNames, options, projectReferences } = configOf(root);
  const own = { ...options, noEmit: true, allowImportingTsExtensions: true };
  const host = ts.createCompilerHost(own);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const program = ts.createProgram({
    rootNames: [...fileNames, ...extraNames],
    options: own,
    host,
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
  for (const file of [...files, ...extraFiles]) {
    eachNode(file, (node) => {
      // A name is resolved without its type; the types of all receivers would take half a minute.
      if (!ts.isCallExpression(node)) return;
      const { expression } = node;
      const named = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
      const declaration = ts.isIdentifier(named) && declarationOf(named);
      if (declaration) add(declaration, node);
    });
  }

  return {
    checker,
    files,
    extraFiles,
    declarationOf,
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

/** The templates of the tag in the files. */
export function templatesOf(files: readonly ts.SourceFile[]): ts.TaggedTemplateExpression[] {
  const templates: ts.TaggedTemplateExpression[] = [];
  for (const file of files) {
    eachNode(file, (node) => {
      if (isSqlTemplate(node)) templates.push(node);
    });
  }
  return templates;
}
