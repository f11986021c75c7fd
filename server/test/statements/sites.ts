import ts from 'typescript-api';
import { Evaluator } from './evaluator.ts';
import { eachPath } from './paths.ts';
import {
  eachNode,
  enclosingFunction,
  type FunctionNode,
  isFunctionNode,
  type Program,
} from './program.ts';
import { type Property, rowOf } from './rows.ts';
import { NeedsCaller, NotFollowed, type Param, type Value } from './value.ts';

/** One alternative of a statement, as the code sends it. */
export interface Alternative {
  readonly where: string;
  readonly text: string;
  readonly params: readonly Param[];
  /** The properties that the code reads; undefined when it reads none. */
  readonly row: readonly Property[] | undefined;
}

export interface Site {
  readonly call: ts.CallExpression;
  readonly kind: 'run' | 'statementOf' | 'query';
}

/** The calls that run or make a statement, without those in the tag itself. */
export function sitesOf(program: Program, files: readonly ts.SourceFile[]): Site[] {
  const others = files.filter(({ fileName }) => !fileName.endsWith('/storage/sql.ts'));
  return program.callsIn(others).flatMap((call) => {
    const kind = kindOf(program, call);
    return kind ? [{ call, kind }] : [];
  });
}

function kindOf(program: Program, { expression }: ts.CallExpression): Site['kind'] | undefined {
  if (ts.isPropertyAccessExpression(expression)) {
    return expression.name.text === 'query' ? 'query' : undefined;
  }
  const declaration = program.declarationOf(expression);
  if (!declaration?.getSourceFile().fileName.endsWith('/storage/sql.ts')) return undefined;
  const name = expression.getText();
  return name === 'run' || name === 'statementOf' ? name : undefined;
}

type Callers = ReadonlyMap<FunctionNode, ts.CallExpression>;

export interface Evaluated {
  readonly alternatives: readonly Alternative[];
  /** The templates that are part of a statement. */
  readonly templates: ReadonlySet<ts.Node>;
  readonly failures: readonly string[];
}

/** Every alternative of the statements of a site, for every call of the functions around it. */
export function evaluateSite(program: Program, site: Site): Evaluated {
  const found = new Map<string, Alternative>();
  const templates = new Set<ts.Node>();
  const failures: string[] = [];
  const waiting: Callers[] = [new Map()];
  for (let callers = waiting.pop(); callers; callers = waiting.pop()) {
    const own = callers;
    try {
      const alternatives = eachPath((choose) => {
        const evaluator = new Evaluator(program, choose, own);
        const alternative = alternativeOf(evaluator, site);
        for (const each of evaluator.templates) templates.add(each);
        return alternative;
      });
      for (const each of alternatives) found.set(keyOf(each), each);
    } catch (error) {
      if (error instanceof NeedsCaller) {
        waiting.push(...expandedBy(program, own, error.callee));
      } else if (error instanceof NotFollowed) {
        failures.push(`${program.where(site.call)}: ${error.message}`);
      } else throw error;
    }
  }
  if (found.size === 0 && failures.length === 0) {
    failures.push(`${program.where(site.call)}: no call of its function is found`);
  }
  return { alternatives: [...found.values()], templates, failures };
}

/** Two alternatives may have the same text, and values of different types. */
const keyOf = ({ where, text, params }: Alternative) =>
  [where, text, ...params.map(({ node }) => `${node.getSourceFile().fileName}:${node.pos}`)].join();

function alternativeOf(evaluator: Evaluator, { call, kind }: Site): Alternative {
  const scope = evaluator.scopeAt(call);
  const index = kind === 'run' ? 1 : 0;
  const argument = call.arguments[index] ?? evaluator.fail(call, 'has no statement');
  const value = evaluator.value(argument, scope);
  const row = kind === 'statementOf' ? undefined : rowOf(evaluator, call);
  const callers = [...evaluator.callers.values()].map((each) => evaluator.program.where(each));
  const where = [evaluator.program.where(call), ...callers].join(' called at ');
  if (kind === 'query') return { where, ...plainText(evaluator, call, value), row };
  if (value.kind !== 'sql') return evaluator.fail(argument, 'is no fragment');
  let count = 0;
  const text = value.segments.map((each) => {
    if (typeof each === 'string') return each;
    count += 1;
    return `$${count}`;
  });
  const params = value.segments.filter((each) => typeof each !== 'string');
  return { where, text: text.join(''), params, row };
}

/** A statement that is sent as text with its parameters. */
function plainText(evaluator: Evaluator, call: ts.CallExpression, value: Value) {
  if (value.kind === 'opaque' && value.parameterOf) throw new NeedsCaller(value.parameterOf);
  if (value.kind !== 'text') return evaluator.fail(call, 'is no stated text');
  const given = call.arguments[1] && passedOn(evaluator, call.arguments[1]);
  if (!given) return { text: value.text, params: [] };
  if (!ts.isArrayLiteralExpression(given)) return evaluator.fail(given, 'is no list of parameters');
  const { checker } = evaluator.program;
  const params = given.elements.map((node) => ({ node, type: checker.getTypeAtLocation(node) }));
  return { text: value.text, params };
}

/** What the assumed call passes for a parameter. */
function passedOn(evaluator: Evaluator, given: ts.Expression): ts.Expression | undefined {
  const declaration = evaluator.program.declarationOf(given);
  if (!declaration || !ts.isParameter(declaration)) return given;
  const fn = declaration.parent;
  if (!isFunctionNode(fn)) return given;
  return evaluator.callers.get(fn)?.arguments[fn.parameters.indexOf(declaration)];
}

/** The ways in which a function is called: by its name, or as a method of what a function returns. */
function expandedBy(program: Program, callers: Callers, fn: FunctionNode): Callers[] {
  const direct = program.callsOf(fn).map((call) => new Map([...callers, [fn, call]]));
  const maker = enclosingFunction(fn);
  if (!maker || !ts.isMethodDeclaration(fn)) return direct;
  const given = callers.get(maker);
  const makers = given ? [given] : program.callsOf(maker);
  return makers.flatMap((made) =>
    methodCalls(program, made, fn.name.getText()).map(
      (call) => new Map([...callers, [maker, made], [fn, call]]),
    ),
  );
}

/**
 * The calls of `listed` in `const { list: listed } = rowsOf(…)`, and of `rows.list` in
 * `const rows = rowsOf(…)`, which may be destructured in its turn.
 */
function methodCalls(program: Program, made: ts.CallExpression, method: string) {
  const declaration = made.parent;
  if (!ts.isVariableDeclaration(declaration)) return [];
  if (!ts.isIdentifier(declaration.name)) return destructuredCalls(program, declaration, method);
  const calls = [...program.methodCallsOf(declaration, method)];
  eachNode(made.getSourceFile(), (node) => {
    if (!ts.isVariableDeclaration(node) || !node.initializer) return;
    if (!ts.isIdentifier(node.initializer)) return;
    if (program.declarationOf(node.initializer) !== declaration) return;
    calls.push(...destructuredCalls(program, node, method));
  });
  return calls;
}

function destructuredCalls(program: Program, { name }: ts.VariableDeclaration, method: string) {
  if (!ts.isObjectBindingPattern(name)) return [];
  const element = name.elements.find(
    (each) => (each.propertyName ?? each.name).getText() === method,
  );
  return element ? program.callsOf(element) : [];
}
