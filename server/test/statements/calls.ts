import ts from 'typescript-api';
import type { Evaluator } from './evaluator.ts';
import { isFunctionNode } from './program.ts';
import { mentionsSql } from './sql-types.ts';
import {
  NeedsCaller,
  raw,
  type Scope,
  type SqlText,
  text,
  UNDEFINED,
  Unreachable,
  type Value,
} from './value.ts';

/** The value of a call; undefined where only its type is known. */
export function callValue(
  evaluator: Evaluator,
  call: ts.CallExpression,
  scope: Scope,
): Value | undefined {
  const { expression } = call;
  if (ts.isPropertyAccessExpression(expression)) {
    const of = expression.expression.getText();
    const name = expression.name.text;
    if (of === 'sql') return ofTag(evaluator, name, call, scope);
    if (of === 'Object') return ofObject(evaluator, name, call, scope);
    const list = ofList(evaluator, expression, call, scope);
    if (list) return list;
  }
  const type = evaluator.program.checker.getTypeAtLocation(call);
  const isFragment = mentionsSql(evaluator.program.checker, type);
  if (!isFragment && !(type.flags & ts.TypeFlags.String)) return undefined;
  const callee = evaluator.value(expression, scope);
  if (callee.kind !== 'function') return undefined;
  const args = call.arguments.map((each) => evaluator.value(each, scope));
  const isStated = ts.isArrowFunction(callee.node) && args.every(({ kind }) => kind === 'text');
  return isFragment || isStated ? invoke(evaluator, callee, args) : undefined;
}

function argument(evaluator: Evaluator, call: ts.CallExpression, index: number, scope: Scope) {
  const given = call.arguments[index];
  return given && evaluator.value(given, scope);
}

/** `sql.identifier`, `sql.integer` and `sql.join`. */
function ofTag(evaluator: Evaluator, name: string, call: ts.CallExpression, scope: Scope): Value {
  const first = argument(evaluator, call, 0, scope) ?? evaluator.fail(call, 'has no argument');
  if (name === 'identifier') return raw(`"${statedText(evaluator, call, first)}"`);
  if (name === 'integer') return raw(first.kind === 'text' ? first.text : '1');
  if (name !== 'join' || first.kind !== 'list') return evaluator.fail(call, 'cannot be followed');
  const separator = argument(evaluator, call, 1, scope) ?? raw(', ');
  const parts = first.items.flatMap((each, index) => (index === 0 ? [each] : [separator, each]));
  const segments = parts.flatMap((each) => {
    if (each.kind !== 'sql') return evaluator.fail(call, 'joins what is no fragment');
    return each.segments;
  });
  return { kind: 'sql', segments } satisfies SqlText;
}

/** A name as the sources state it, or one of those that its type allows. */
function statedText(evaluator: Evaluator, call: ts.CallExpression, value: Value): string {
  if (value.kind === 'text') return value.text;
  if (value.kind !== 'opaque') return evaluator.fail(call, 'names nothing');
  if (value.parameterOf) throw new NeedsCaller(value.parameterOf);
  const options = value.type.isUnion() ? value.type.types : [value.type];
  const literals = options.flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
  if (literals.length === options.length) {
    return literals[evaluator.choose(call, literals.length)] ?? '';
  }
  return evaluator.fail(call, 'may be any name');
}

function ofObject(
  evaluator: Evaluator,
  name: string,
  call: ts.CallExpression,
  scope: Scope,
): Value | undefined {
  const of = argument(evaluator, call, 0, scope);
  if (of?.kind !== 'object') return undefined;
  if (name === 'keys') return { kind: 'list', items: [...of.properties.keys()].map(text) };
  if (name === 'values') return { kind: 'list', items: [...of.properties.values()] };
  return undefined;
}

/** `map`, `flatMap` and `filter`. A list of unknown length counts as one of two items. */
function ofList(
  evaluator: Evaluator,
  access: ts.PropertyAccessExpression,
  call: ts.CallExpression,
  scope: Scope,
): Value | undefined {
  const name = access.name.text;
  if (!['map', 'flatMap', 'filter'].includes(name)) return undefined;
  const { checker } = evaluator.program;
  if (!mentionsSql(checker, checker.getTypeAtLocation(call))) return undefined;
  const list = evaluator.value(access.expression, scope);
  const callback = argument(evaluator, call, 0, scope);
  if (callback?.kind !== 'function') return undefined;
  const items = list.kind === 'list' ? list.items : [undefined, undefined];
  if (name === 'filter') {
    const isOfDefined = callback.node.body?.getText().endsWith(' !== undefined');
    if (!isOfDefined || list.kind !== 'list') return undefined;
    return { kind: 'list', items: list.items.filter((each) => each.kind !== 'undefined') };
  }
  const results = items.map((item) => {
    const unknown = callback.node.parameters.map((each) => evaluator.opaque(each));
    return invoke(evaluator, callback, item ? [item] : unknown);
  });
  if (name === 'map') return { kind: 'list', items: results };
  return { kind: 'list', items: results.flatMap((r) => (r.kind === 'list' ? r.items : [r])) };
}

function invoke(
  evaluator: Evaluator,
  { node, scope: parent }: Extract<Value, { kind: 'function' }>,
  args: readonly Value[],
): Value {
  const scope: Scope = { owner: node, parent, args, known: new Map() };
  if (!node.body) return evaluator.fail(node, 'has no body');
  if (!ts.isBlock(node.body)) return evaluator.value(node.body, scope);
  return executed(evaluator, node.body.statements, scope, []) ?? UNDEFINED;
}

/** What a call of a generator yields; undefined for another call. */
export function generated(
  evaluator: Evaluator,
  call: ts.CallExpression,
  scope: Scope,
): Value | undefined {
  const callee = evaluator.program.declarationOf(call.expression);
  if (!callee || !isFunctionNode(callee) || !callee.asteriskToken) return undefined;
  const args = call.arguments.map((each) => evaluator.value(each, scope));
  const yields: Value[] = [];
  const own: Scope = { owner: callee, parent: evaluator.scopeAt(callee), args, known: new Map() };
  if (callee.body && ts.isBlock(callee.body)) {
    executed(evaluator, callee.body.statements, own, yields);
  }
  return { kind: 'list', items: yields };
}

/** Runs statements up to the return. Declarations are evaluated when they are used. */
function executed(
  evaluator: Evaluator,
  statements: readonly ts.Statement[],
  scope: Scope,
  yields: Value[],
): Value | undefined {
  for (const statement of statements) {
    const result = executedOne(evaluator, statement, scope, yields);
    if (result) return result;
  }
  return undefined;
}

function executedOne(
  evaluator: Evaluator,
  statement: ts.Statement,
  scope: Scope,
  yields: Value[],
): Value | undefined {
  if (ts.isReturnStatement(statement)) {
    return statement.expression ? evaluator.value(statement.expression, scope) : UNDEFINED;
  }
  if (ts.isBlock(statement)) return executed(evaluator, statement.statements, scope, yields);
  if (ts.isIfStatement(statement)) {
    const taken = evaluator.holds(statement.expression, scope)
      ? statement.thenStatement
      : statement.elseStatement;
    return taken && executedOne(evaluator, taken, scope, yields);
  }
  if (ts.isThrowStatement(statement)) throw new Unreachable();
  if (ts.isVariableStatement(statement)) return undefined;
  if (ts.isExpressionStatement(statement)) {
    const { expression } = statement;
    if (ts.isYieldExpression(expression) && expression.expression) {
      yields.push(evaluator.value(expression.expression, scope));
    }
    return undefined;
  }
  return evaluator.fail(statement, 'cannot be followed');
}
