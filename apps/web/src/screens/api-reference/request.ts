import { bodyOf, needsToken, type Operation, type Parameter } from './document.ts';

/** What is entered for a call: its parameters as texts, by name, and its body as JSON. */
export interface Entered {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: string;
}

export const emptyRequest = (operation: Operation): Entered => {
  const example = bodyOf(operation)?.example;
  return { parameters: {}, body: example === undefined ? '' : JSON.stringify(example, null, 2) };
};

/** Those in the path and the query; headers are the browser's. */
export const parametersOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((one) => one.in !== 'header');

/** The path with what is entered. What is missing in it stays in braces. */
export function urlOf(operation: Operation, { parameters }: Entered): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (braces, name: string) =>
    parameters[name] ? encodeURIComponent(parameters[name]) : braces,
  );
  const query = new URLSearchParams(
    parametersOf(operation).flatMap(({ name, in: place, required }) => {
      const value = parameters[name] || (required ? `{${name}}` : '');
      return place === 'query' && value ? [[name, value]] : [];
    }),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A command that can be pasted into a POSIX shell. */
export function asCurl(origin: string, operation: Operation, entered: Entered): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${quoted(origin + urlOf(operation, entered))}`,
    ...(needsToken(operation) ? ['-H "Authorization: Bearer $COFFER_TOKEN"'] : []),
    ...(entered.body ? ["-H 'content-type: application/json'", `-d ${quoted(entered.body)}`] : []),
  ].join(' \\\n  ');
}

/** A program on the typed client. */
export function asTypeScript(origin: string, operation: Operation, entered: Entered): string {
  const token = needsToken(operation) ? ', token: process.env.COFFER_TOKEN' : '';
  return [
    `import { createCofferClient } from '@coffer/client';`,
    '',
    `const coffer = createCofferClient({ url: ${text(origin)}${token} });`,
    `const answer = await coffer.${operation['x-coffer-client']}(${literal(inputOf(operation, entered))});`,
  ].join('\n');
}

/** Of a procedure: one object of path, query and body. */
function inputOf(operation: Operation, { parameters, body }: Entered): Record<string, unknown> {
  const given = parametersOf(operation).flatMap(({ name, required, schema }) => {
    const value = parameters[name] || (required ? `{${name}}` : undefined);
    return value === undefined ? [] : [[name, typed(value, schema?.type)] as const];
  });
  return { ...Object.fromEntries(given), ...objectIn(body) };
}

function typed(value: string, type: unknown): unknown {
  const isOther = [type].flat().some((one) => one === 'integer' || one === 'number' || one === 'boolean');
  return isOther && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
}

function objectIn(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const text = (value: string) =>
  `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

/** As a person would write it in a program. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => literal(one, inner))]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${key(name)}: ${literal(one, inner)}`)];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

const key = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : text(name));
