import type { Json } from '../model/index.ts';

/** What stands for `${name}` and `${env:NAME}` in the texts of a file. */
export interface Substitutes {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The parameters of a template; undefined for a file that is none. */
  readonly parameters: Readonly<Record<string, Json>> | undefined;
}

const MARK = /\$\$\{|\$\{([^}]*)\}/g;
const WHOLE = /^\$\{([^}]*)\}$/;
const ENVIRONMENT = 'env:';

/** The text with substitutes in place of `${…}`. A text that is nothing else keeps their type. */
export function substituted(
  text: string,
  substitutes: Substitutes,
  onProblem: (reason: string) => void,
): Json {
  if (!text.includes('${')) return text;
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return substituteOf(whole, substitutes, onProblem);
  return text.replaceAll(MARK, (_, name: string | undefined) =>
    name === undefined ? '${' : String(substituteOf(name, substitutes, onProblem)),
  );
}

function substituteOf(
  name: string,
  { environment, parameters }: Substitutes,
  onProblem: (reason: string) => void,
): Json {
  if (name.startsWith(ENVIRONMENT)) {
    const variable = name.slice(ENVIRONMENT.length);
    const value = environment[variable];
    if (value === undefined || value === '') {
      onProblem(`needs the environment variable ${variable}, which is not set`);
    }
    return value ?? '';
  }
  const value = parameters && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value !== undefined) return value;
  onProblem(
    parameters
      ? `names the parameter ${name}, which the template does not declare`
      : `has \${${name}}, which is for templates; write $\${ for a literal \${`,
  );
  return '';
}

/** The text as a file must have it, so that nothing is substituted. */
export function escaped(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** What stands in a file for a secret. */
export function environmentReference(variable: string): string {
  return `\${${ENVIRONMENT}${variable}}`;
}
