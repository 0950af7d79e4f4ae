// Refuses texts of the console outside of modules of texts: `node scripts/texts.mjs`. A text is what people read: children of
// elements, labels, titles and hints, and whatever else reads like words of a sentence. It also refuses texts that nothing shows.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const SOURCES = 'apps/web/src';
// A checker that finds nothing to check also finds nothing wrong.
const MIN_FILES = 300;
const MIN_TEXTS = 1500;

const isTexts = (path) => /(?:^|[/.])texts(?:\.\w[\w-]*)?\.ts$/.test(path);
const isLeftOut = (path) => /\.test\.tsx?$|\.d\.ts$/.test(path) || isTexts(path);

/** The same in all languages. */
const NAMES =
  /\b(?:Coffer|Bearer|Ctrl|Alt|Firefox|Chrome|Safari|Edge|Edg|Android|Windows|Linux|Mac OS|macOS|curl|TypeScript)\b/g;
/** Elements with what machines read: commands, code, keys. */
const OF_MACHINES = new Set(['code', 'kbd', 'pre', 'Code']);
/** Attributes and properties that people read. */
const READ =
  /^(label|title|placeholder|aria-label|hint|lead|empty|alt|note|submit|done|text|what|deletion|message|description)$/;
/** Attributes and properties that nobody reads. */
const UNREAD =
  /^(className|type|kind|look|to|href|key|id|role|path|operation|commandLine|content-type|data-.*|aria-(controls|labelledby|describedby)|\w+Statement)$/;
/** Functions whose arguments nobody reads: of an internal error, the user sees that something went wrong. */
const UNREAD_BY =
  /^(Error|RegExp|Intl|matchMedia|areaOf|lazyRouteComponent|querySelector|querySelectorAll|closest|matches|includes|startsWith|split|join|raw)$/;

const withoutNames = (text) => text.replaceAll(NAMES, '');
const hasLetters = (text) => /\p{L}/u.test(withoutNames(text));
const LIKE_CODE = /[{}$=;]|\w:\w|\w\(|[a-z]\.[a-z]+\.\w|(?:^|\s)--?[\w\s]|^[./]/;
/** One word with a capital, or two words and more. */
const readsLikeWords = (text) =>
  !LIKE_CODE.test(text) &&
  (/^[“(]?(?:[A-Z][a-z]+(?:-[a-z]+)*|[A-Z]-[a-z]+)[.…?!:)]*$/.test(text) ||
    /[A-Za-z]{2,}[,:;.!?…)”]* [A-Za-z(“]/.test(text));
/** Of a template, `…` stands for what is put in: a word beside it is a text. */
const readsLikeTemplate = (text) =>
  readsLikeWords(text) || (!LIKE_CODE.test(text) && /(?:^|\s)[A-Za-z]{3,}(?:\s|$)/.test(text));

const nameOf = (node) => node?.name?.name ?? node?.name ?? node?.value;
const attributeName = ({ name }) =>
  name.type === 'JSXNamespacedName' ? `${name.namespace.name}:${name.name.name}` : name.name;
const calleeName = ({ callee }) => callee?.property?.name ?? callee?.object?.name ?? callee?.name;

/** What passes a value on: `a ? 'x' : 'y'` is one where it stands. */
function isPassedOn(parent, node) {
  switch (parent.type) {
    case 'ConditionalExpression':
      return parent.test !== node;
    case 'LogicalExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'JSXExpressionContainer':
      return true;
    default:
      return false;
  }
}

/** The texts in a file that are in no module of texts: `line: text`. */
export function textsIn(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const found = [];
  const visit = (node, parents) => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, parents));
    if (typeof node?.type !== 'string') return undefined;
    if (/^(Import|TS(?!As|Satisfies|NonNull))/.test(node.type)) return undefined;
    if (node.type === 'JSXElement' && OF_MACHINES.has(nameOf(node.openingElement.name)))
      return visit(node.openingElement, [...parents, node]);
    const text = textOf(node);
    if (text !== undefined && hasLetters(text) && isText(node, text, parents))
      found.push(`${source.slice(0, node.start).split('\n').length}: ${text.trim().replaceAll(/\s+/g, ' ')}`);
    for (const [name, child] of Object.entries(node))
      if (!(name === 'key' && node.type === 'Property' && !node.computed) && typeof child === 'object')
        visit(child, [...parents, node]);
    return undefined;
  };
  visit(program, []);
  return found;
}

function textOf(node) {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('…') : undefined;
}

function isText(node, text, parents) {
  if (node.type === 'JSXText') return true;
  const likeText = node.type === 'TemplateLiteral' ? readsLikeTemplate(text) : readsLikeWords(text);
  let [at, value] = [parents.length - 1, node];
  while (at > 0 && isPassedOn(parents[at], value)) value = parents[at--];
  const parent = parents[at];
  switch (parent.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return true;
    case 'JSXAttribute':
      return isReadAs(attributeName(parent), likeText);
    case 'Property':
      return isReadAs(nameOf(parent.key), likeText);
    case 'BinaryExpression':
    case 'SwitchCase':
    case 'MemberExpression':
    case 'TaggedTemplateExpression':
      return false;
    case 'CallExpression':
    case 'NewExpression':
      return likeText && !UNREAD_BY.test(calleeName(parent));
    default:
      return likeText;
  }
}

const isReadAs = (name, likeText) => READ.test(name) || (likeText && !UNREAD.test(name));

/** The keys of a module of texts. */
export function keysOf(path, source) {
  const keys = [];
  const { program } = parseSync(path, source);
  new Visitor({
    VariableDeclarator({ init }) {
      if (init?.type === 'ObjectExpression') keys.push(...init.properties.map(({ key }) => nameOf(key)));
    },
  }).visit(program);
  return keys;
}

/** The keys of texts that a file uses: `screens/who/texts.ts#yes`. */
export function usedIn(path, source) {
  const { program } = parseSync(path, source);
  const modules = new Map();
  const used = [];
  new Visitor({
    ImportDeclaration({ source: from, specifiers }) {
      const target = join(dirname(path), from.value);
      if (isTexts(target)) for (const { local } of specifiers) modules.set(local.name, target);
    },
    MemberExpression({ object, property, computed }) {
      if (!modules.has(object.name)) return;
      // By a name that is known at run time only, it may be any of them.
      used.push(`${modules.get(object.name)}#${computed ? '*' : property.name}`);
    },
  }).visit(program);
  return used;
}

if (import.meta.main) {
  const root = join(resolve(import.meta.dirname, '..'), SOURCES);
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).toSorted();
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const used = new Set(files.flatMap((path) => usedIn(path, read(path))));
  const texts = files
    .filter((path) => /(?:^|[/.])texts\.ts$/.test(path))
    .flatMap((path) => keysOf(path, read(path)).map((key) => ({ path, key })));
  const checked = files.filter((path) => !isLeftOut(path));
  const problems = [
    ...checked.flatMap((path) => textsIn(path, read(path)).map((found) => `${SOURCES}/${path}:${found}`)),
    ...texts
      .filter(({ path, key }) => !used.has(`${path}#${key}`) && !used.has(`${path}#*`))
      .map(({ path, key }) => `${SOURCES}/${path}: nothing shows ${key}`),
  ];
  if (checked.length < MIN_FILES || texts.length < MIN_TEXTS)
    problems.push(
      `Only ${checked.length} files and ${texts.length} texts were found: the check looks in the wrong place`,
    );
  for (const problem of problems) console.error(problem);
  console.log(`${checked.length} files, ${texts.length} texts`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
