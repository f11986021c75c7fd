import ts from 'typescript-api';
import { callValue } from './calls.ts';
import { valueOfDeclaration } from './declarations.ts';
import { enclosingFunction, type FunctionNode, isFunctionNode, type Program } from './program.ts';
import { mentionsSql } from './sql-types.ts';
import { NotFollowed, type Opaque, type Scope, text, UNDEFINED, type Value } from './value.ts';

/** Decides a condition that depends on a value of the running server. */
export type Choose = (node: ts.Node, options: number) => number;

/**
 * Evaluates expressions of the sources along one path: every undecided condition is decided by
 * `choose`. Values of the running server are known by their types alone.
 */
export class Evaluator {
  readonly program: Program;
  readonly choose: Choose;
  /** The call to assume for a function that encloses the statement. */
  readonly callers: ReadonlyMap<FunctionNode, ts.CallExpression>;
  /** The templates that became part of a statement. */
  readonly templates = new Set<ts.Node>();
  readonly #modules = new Map<ts.SourceFile, Scope>();
  readonly #activations = new Map<FunctionNode, Scope>();

  constructor(
    program: Program,
    choose: Choose,
    callers: ReadonlyMap<FunctionNode, ts.CallExpression>,
  ) {
    this.program = program;
    this.choose = choose;
    this.callers = callers;
  }

  /** The scope of code that the evaluation did not call itself. */
  scopeAt(node: ts.Node): Scope {
    const owner = enclosingFunction(node);
    if (!owner) {
      const file = node.getSourceFile();
      const known = this.#modules.get(file);
      if (known) return known;
      const scope = { owner, parent: undefined, args: undefined, known: new Map() };
      this.#modules.set(file, scope);
      return scope;
    }
    const known = this.#activations.get(owner);
    if (known) return known;
    const scope = { owner, parent: this.scopeAt(owner), args: undefined, known: new Map() };
    this.#activations.set(owner, scope);
    return scope;
  }

  opaque(node: ts.Node, parameterOf?: FunctionNode): Opaque {
    return { kind: 'opaque', type: this.program.checker.getTypeAtLocation(node), parameterOf };
  }

  fail(node: ts.Node, reason: string): never {
    throw new NotFollowed(`${this.program.where(node)}: ${reason}: ${node.getText().slice(0, 80)}`);
  }

  /** Of what cannot be followed, only the type counts; an Sql has to be followed. */
  #unknown(node: ts.Expression): Value {
    const value = this.opaque(node);
    if (mentionsSql(this.program.checker, value.type)) this.fail(node, 'cannot be followed');
    return value;
  }

  value(node: ts.Expression, scope: Scope): Value {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node)
    ) {
      return this.value(node.expression, scope);
    }
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return text(node.text);
    if (ts.isTaggedTemplateExpression(node)) return this.#template(node, scope);
    if (ts.isTemplateExpression(node)) return this.#string(node, scope);
    if (ts.isIdentifier(node)) return this.#identifier(node, scope);
    if (ts.isPropertyAccessExpression(node)) return this.#property(node, scope);
    if (ts.isConditionalExpression(node)) {
      return this.value(this.holds(node.condition, scope) ? node.whenTrue : node.whenFalse, scope);
    }
    if (ts.isBinaryExpression(node)) return this.#binary(node, scope);
    if (ts.isArrayLiteralExpression(node)) {
      return { kind: 'list', items: node.elements.flatMap((each) => this.#element(each, scope)) };
    }
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, scope);
    if (isFunctionNode(node)) return { kind: 'function', node, scope };
    if (ts.isCallExpression(node)) return callValue(this, node, scope) ?? this.#unknown(node);
    return this.#unknown(node);
  }

  #template(node: ts.TaggedTemplateExpression, scope: Scope): Value {
    if (node.tag.getText() !== 'sql') return this.#unknown(node);
    this.templates.add(node);
    if (ts.isNoSubstitutionTemplateLiteral(node.template)) {
      return { kind: 'sql', segments: [node.template.text] };
    }
    const { head, templateSpans } = node.template;
    const segments = templateSpans.flatMap(({ expression, literal }) => {
      const type = this.program.checker.getTypeAtLocation(expression);
      if (!mentionsSql(this.program.checker, type))
        return [{ type, node: expression }, literal.text];
      const value = this.value(expression, scope);
      if (value.kind !== 'sql') this.fail(expression, 'is no fragment');
      return [...value.segments, literal.text];
    });
    return { kind: 'sql', segments: [head.text, ...segments] };
  }

  #string(node: ts.TemplateExpression, scope: Scope): Value {
    let whole = node.head.text;
    for (const { expression, literal } of node.templateSpans) {
      const value = this.value(expression, scope);
      if (value.kind !== 'text') return this.opaque(node);
      whole += value.text + literal.text;
    }
    return text(whole);
  }

  #identifier(node: ts.Identifier, scope: Scope): Value {
    if (node.text === 'undefined') return UNDEFINED;
    const { checker } = this.program;
    const declaration = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)?.valueDeclaration
      : this.program.declarationOf(node);
    const value = declaration && valueOfDeclaration(this, declaration, node, scope);
    return value ?? this.#unknown(node);
  }

  #property(node: ts.PropertyAccessExpression, scope: Scope): Value {
    const of = this.value(node.expression, scope);
    if (of.kind === 'object') return of.properties.get(node.name.text) ?? UNDEFINED;
    if (of.kind === 'undefined' && node.questionDotToken) return UNDEFINED;
    if (of.kind === 'list' && node.name.text === 'length') return text(String(of.items.length));
    if (of.kind !== 'opaque') return this.#unknown(node);
    const value = this.opaque(node, of.parameterOf);
    if (mentionsSql(this.program.checker, value.type)) this.fail(node, 'cannot be followed');
    return value;
  }

  #binary(node: ts.BinaryExpression, scope: Scope): Value {
    const { left, right, operatorToken } = node;
    const isAnd = operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    const isOr = operatorToken.kind === ts.SyntaxKind.BarBarToken;
    const isDefault = operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
    if (!isAnd && !isOr && !isDefault) return this.#unknown(node);
    const first = this.value(left, scope);
    const isTaken = isDefault ? this.#isDefined(first, left) : this.isTrue(first, left);
    if (isAnd) return isTaken ? this.value(right, scope) : falsy(first);
    return isTaken ? first : this.value(right, scope);
  }

  #isDefined(value: Value, node: ts.Node): boolean {
    if (value.kind === 'opaque') return this.choose(node, 2) === 0;
    return value.kind !== 'undefined';
  }

  isTrue(value: Value, node: ts.Node): boolean {
    if (value.kind === 'opaque') return this.choose(node, 2) === 0;
    if (value.kind === 'text') return value.text !== '';
    return value.kind !== 'undefined';
  }

  /** Decides a condition: by the values that the sources state, else by choice. */
  holds(node: ts.Expression, scope: Scope): boolean {
    if (ts.isParenthesizedExpression(node)) return this.holds(node.expression, scope);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      return !this.holds(node.operand, scope);
    }
    if (!ts.isBinaryExpression(node)) return this.isTrue(this.value(node, scope), node);
    const { left, right, operatorToken } = node;
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      return this.holds(left, scope) && this.holds(right, scope);
    }
    if (operatorToken.kind === ts.SyntaxKind.BarBarToken) {
      return this.holds(left, scope) || this.holds(right, scope);
    }
    const isSame = operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken;
    const isOther = operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
    if (!isSame && !isOther) return this.choose(node, 2) === 0;
    const same = areSame(this.value(left, scope), this.value(right, scope));
    return same === undefined ? this.choose(node, 2) === 0 : same === isSame;
  }

  #element(node: ts.Expression, scope: Scope): readonly Value[] {
    if (!ts.isSpreadElement(node)) return [this.value(node, scope)];
    const spread = this.value(node.expression, scope);
    return spread.kind === 'list' ? spread.items : [this.#unknown(node.expression)];
  }

  #object(node: ts.ObjectLiteralExpression, scope: Scope): Value {
    const properties = new Map<string, Value>();
    for (const each of node.properties) {
      if (ts.isSpreadAssignment(each)) {
        const spread = this.value(each.expression, scope);
        if (spread.kind !== 'object') this.#unknown(each.expression);
        else for (const [name, value] of spread.properties) properties.set(name, value);
      } else if (ts.isShorthandPropertyAssignment(each)) {
        properties.set(each.name.text, this.value(each.name, scope));
      } else if (ts.isPropertyAssignment(each)) {
        properties.set(nameOf(each.name), this.value(each.initializer, scope));
      } else if (ts.isMethodDeclaration(each)) {
        properties.set(nameOf(each.name), { kind: 'function', node: each, scope });
      }
    }
    return { kind: 'object', properties };
  }
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText();
}

/** Undefined when it is not known. */
function areSame(one: Value, other: Value): boolean | undefined {
  if (one.kind === 'opaque' || other.kind === 'opaque') return undefined;
  if (one.kind === 'text' && other.kind === 'text') return one.text === other.text;
  return one.kind === 'undefined' && other.kind === 'undefined';
}

const falsy = (value: Value): Value => (value.kind === 'opaque' ? UNDEFINED : value);
