import ts from 'typescript-api';
import { generated } from './calls.ts';
import type { Evaluator } from './evaluator.ts';
import { enclosingFunction, type FunctionNode, isFunctionNode } from './program.ts';
import { mentionsSql } from './sql-types.ts';
import { NeedsCaller, type Scope, UNDEFINED, Unreachable, type Value } from './value.ts';

/** The value that a name stands for; undefined where only its type is known. */
export function valueOfDeclaration(
  evaluator: Evaluator,
  declaration: ts.Declaration,
  use: ts.Node,
  scope: Scope,
): Value | undefined {
  if (isFunctionNode(declaration)) {
    return { kind: 'function', node: declaration, scope: scopeOf(evaluator, declaration, scope) };
  }
  const isVariable = ts.isVariableDeclaration(declaration) || ts.isParameter(declaration);
  if (!isVariable && !ts.isBindingElement(declaration)) return undefined;
  const own = scopeOf(evaluator, declaration, scope);
  const known = own.known.get(declaration);
  if (known) return known;
  const value = isVariable
    ? rootValue(evaluator, declaration, use, own)
    : bindingValue(evaluator, declaration, use, own);
  if (value) own.known.set(declaration, value);
  return value;
}

/** The scope of the function that a declaration stands in, seen from another scope. */
function scopeOf(evaluator: Evaluator, declaration: ts.Node, from: Scope): Scope {
  const owner = enclosingFunction(declaration);
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    if (owner !== undefined && scope.owner === owner) return scope;
  }
  return evaluator.scopeAt(declaration);
}

function rootValue(
  evaluator: Evaluator,
  declaration: ts.VariableDeclaration | ts.ParameterDeclaration,
  use: ts.Node,
  scope: Scope,
): Value | undefined {
  if (ts.isParameter(declaration)) return parameterValue(evaluator, declaration, use, scope);
  const list = declaration.parent;
  const isConstant = ts.isVariableDeclarationList(list) && (list.flags & ts.NodeFlags.Const) !== 0;
  if (!isConstant) return undefined;
  if (ts.isForOfStatement(list.parent)) return oneOf(evaluator, list.parent.expression, scope);
  return declaration.initializer && evaluator.value(declaration.initializer, scope);
}

/** A loop runs the statement for each item of its list. */
function oneOf(evaluator: Evaluator, iterated: ts.Expression, scope: Scope): Value | undefined {
  const call = ts.isCallExpression(iterated) ? generated(evaluator, iterated, scope) : undefined;
  const list = call ?? evaluator.value(iterated, scope);
  if (list.kind !== 'list') return undefined;
  if (list.items.length === 0) throw new Unreachable();
  return list.items[evaluator.choose(iterated, list.items.length)];
}

function parameterValue(
  evaluator: Evaluator,
  declaration: ts.ParameterDeclaration,
  use: ts.Node,
  scope: Scope,
): Value | undefined {
  const fn = declaration.parent;
  if (!isFunctionNode(fn)) return undefined;
  const index = fn.parameters.indexOf(declaration);
  const given = scope.args ?? argsOfCaller(evaluator, fn);
  if (given) {
    const value = given[index] ?? UNDEFINED;
    const isLeftOut = value.kind === 'undefined' && declaration.initializer !== undefined;
    return isLeftOut ? evaluator.value(declaration.initializer, scope) : value;
  }
  const value = evaluator.opaque(ts.isIdentifier(declaration.name) ? use : declaration, fn);
  const needsCaller = mentionsSql(evaluator.program.checker, evaluator.opaque(use).type);
  if (needsCaller) throw new NeedsCaller(fn);
  return value;
}

function argsOfCaller(evaluator: Evaluator, fn: FunctionNode): readonly Value[] | undefined {
  const call = evaluator.callers.get(fn);
  if (!call) return undefined;
  const scope = evaluator.scopeAt(call);
  return call.arguments.map((each) => evaluator.value(each, scope));
}

/** A part of a destructured value, such as `{ name }` or `[first]`. */
function bindingValue(
  evaluator: Evaluator,
  element: ts.BindingElement,
  use: ts.Node,
  scope: Scope,
): Value | undefined {
  const pattern = element.parent;
  const of = ts.isBindingElement(pattern.parent)
    ? bindingValue(evaluator, pattern.parent, use, scope)
    : valueOfDeclaration(evaluator, pattern.parent, use, scope);
  if (!of || of.kind === 'opaque') return of && evaluator.opaque(use, of.parameterOf);
  const value = partOf(of, element, pattern);
  if (value?.kind === 'undefined' && element.initializer) {
    return evaluator.value(element.initializer, scope);
  }
  return value;
}

function partOf(of: Value, element: ts.BindingElement, pattern: ts.BindingPattern) {
  if (ts.isArrayBindingPattern(pattern)) {
    return of.kind === 'list' ? of.items[pattern.elements.indexOf(element)] : undefined;
  }
  if (of.kind !== 'object' || element.dotDotDotToken) return undefined;
  const name = element.propertyName ?? element.name;
  return of.properties.get(name.getText()) ?? UNDEFINED;
}
