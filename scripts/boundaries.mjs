// Checks who imports whom, types included: `node scripts/boundaries.mjs`. The map is in STYLE.md; the rules are below.
//
// Rules between packages hold for every file. Rules between features hold for what ships: tests, `testing/`, `test/` of applications and the
// `examples.ts` of members may look inside a feature.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

// A checker that finds nothing to check also finds nothing wrong. Raise these as the code grows.
const expected = { modules: 1500, imports: 7500 };

/** The permitted imports between packages; `types` marks type-only imports. */
const allowed = {
  'packages/postgres': {},
  'packages/x509': {},
  'packages/ssh': { x509: 'values' },
  'packages/domain': { ssh: 'values', x509: 'values' },
  'packages/api': { domain: 'values' },
  'packages/client': { api: 'types' },
  'apps/cli': { client: 'values' },
  'apps/web': { client: 'values' },
  'apps/server': { api: 'values', domain: 'values', postgres: 'values', web: 'values' },
  apps: { client: 'values', api: 'values', domain: 'values', postgres: 'values' },
  bench: { server: 'values', client: 'values', api: 'values', domain: 'values', postgres: 'values' },
  examples: {
    server: 'values',
    client: 'values',
    api: 'values',
    domain: 'values',
    postgres: 'values',
    ssh: 'values',
    x509: 'values',
  },
};

/** What tests may import besides: the command line is tested against a server. */
const allowedInTests = { 'apps/cli': { server: 'values', domain: 'values' } };

/** Imports the `examples.ts` beside each member of a family, by its name. */
const WALKER = 'packages/domain/src/family/testing/examples.ts';
/** Imports a module of the server from its bundle. */
const BUNDLE = 'apps/server/src/bundle/load.ts';

/**
 * The areas of the domain in order: each may import those before it. `app` puts them together and may import internals.
 */
const areas = [
  'kernel',
  'cache',
  'crypto',
  'outbound',
  'ldap',
  'family',
  'apps',
  'access',
  'audit',
  'jobs',
  'migrations',
  'database',
  'mail',
  'users',
  'organizations',
  'identities',
  'instance',
  'secrets',
  'projects',
  'invitations',
  'approvals',
  'access-insight',
  'connections',
  'pki',
  'ssh',
  'kms',
  'expiry',
  'app',
];

/** What `@coffer/domain/schemas` reaches runs in browsers: modules that import one another, and these packages. */
const SCHEMAS = 'packages/domain/src/schemas.ts';
const inBrowsers = ['ipaddr.js', 'zod'];

/** Reads the workspace at `root`; returns its modules and the violations, one sentence each. */
export function checkBoundaries(root) {
  const modules = readModules(root);
  for (const path of reachedFromSchemas(modules)) modules.get(path).isSchema = true;
  const edges = [...modules.values()].flatMap((module) => module.imports);
  const rules = [packageRule, testingRule, areaRule, featureRule, familyRule, schemaRule];
  const problems = [
    ...[...modules.values()].flatMap(nameRule),
    ...edges.flatMap((edge) =>
      rules.flatMap((rule) => rule(edge, modules) ?? []).map((why) => `${place(edge)}: ${why}`),
    ),
    ...cycleRule(modules),
  ];
  return { modules: modules.size, imports: edges.length, problems };
}

// Rules about one import

function packageRule({ from, specifier, target, typeOnly }) {
  if (specifier === null && ![WALKER, BUNDLE].includes(from.path))
    return 'imports a computed path, which nobody can check';
  if (target && !inside(target, from.package)) return `leaves its package by a relative path (${specifier})`;

  const [, wanted] = (specifier ?? '').match(/^@coffer\/([^/]+)/) ?? [];
  if (!wanted) return;
  const itself = from.package.endsWith(`/${wanted}`);
  if (itself) return `imports its own package by name (${specifier}): use a relative path`;
  if (wanted === 'postgres' && inside(from.path, 'packages/domain/src/testing')) return;
  const rules = allowed[from.package] ?? allowed[from.package.replace(/^apps\/.*/, 'apps')];
  const permission = rules?.[wanted] ?? (from.exempt && allowedInTests[from.package]?.[wanted]);
  if (!permission) return `${from.package} may not import ${specifier}`;
  if (permission === 'types' && !typeOnly) return `may use only types of ${specifier}: write \`import type\``;
}

function testingRule({ from, specifier, target }) {
  if (from.exempt || !/^(packages|apps)\//.test(from.path)) return;
  if (/^@coffer\/[^/]+\/testing/.test(specifier) || (target && isExempt(target)))
    return `uses test code (${specifier})`;
}

/** The area of a module of the domain; nothing for the entry of the package. */
function areaOf(path) {
  return path.match(/^packages\/domain\/src\/([^/]+)\//)?.[1];
}

function areaRule({ from, target }) {
  if (from.exempt || !target || isExempt(target)) return;
  const [here, there] = [areaOf(from.path), areaOf(target)];
  if (!here || !there || here === there) return;
  for (const area of [here, there])
    if (!areas.includes(area))
      return `${area} has no place in the order of areas: give it one in scripts/boundaries.mjs`;
  if (areas.indexOf(there) > areas.indexOf(here))
    return here === 'kernel'
      ? `the kernel imports no other folder (${target})`
      : `${here} stands below ${there} (${target})`;
}

/**
 * A feature is entered through its index.ts, or by its schemas. The kernel has no inside: it is everyone's ground. Loose files of an area
 * belong to all features of that area, and an entity may point to its parent's entity. `app` may look inside.
 */
function featureRule({ from, target }, modules) {
  if (from.exempt || !target || isExempt(target)) return;
  const here = featureOf(from.path, modules);
  const there = featureOf(target, modules);
  if (!here || !there || here === there || there === 'kernel') return;
  if (basename(target) === 'index.ts' || here.startsWith(`${there}/`)) return;
  // Schemas import schemas: other exports of an index.ts do not run in browsers.
  if (modules.get(target)?.isSchema) return;
  if (isEntity(from.path) && isEntity(target)) return;
  return `reaches into ${there} past its index.ts (${target})`;
}

/** `secrets/folder` for a folder of an area, `audit` for an area with one feature, empty for files in the root. */
function featureOf(path, modules) {
  const base = 'packages/domain/src/';
  if (!path.startsWith(base) || path.startsWith(`${base}app/`)) return;
  const [area, folder, ...rest] = path.slice(base.length).split('/');
  if (!folder) return;
  if (!rest.length) return area;
  const ownIndex = modules.has(`${base}${area}/${folder}/index.ts`);
  return !ownIndex && modules.has(`${base}${area}/index.ts`) ? area : `${area}/${folder}`;
}

function familyRule({ from, target }) {
  if (from.exempt || !target) return;
  const [family, member] = memberOf(from.path);
  const [otherFamily, other] = memberOf(target);
  if (!family || family !== otherFamily || member === other || member === 'index') return;
  return `members of a family never import one another (${target}): what they share lies above ${basename(family)}/`;
}

function schemaRule({ from, specifier, target, typeOnly }) {
  if (!from.isSchema || typeOnly || fileOf({ specifier, target }) || inBrowsers.includes(specifier)) return;
  return `schemas run in browsers, and reach this module: it may not import ${specifier}`;
}

/** The file of this workspace that an import leads to. */
function fileOf({ specifier, target }) {
  const [, name, file] = specifier?.match(/^@coffer\/(\w+)\/([\w-]+)$/) ?? [];
  return target ?? (name && `packages/${name}/src/${file}.ts`);
}

/** All that is loaded with the schemas. */
function reachedFromSchemas(modules) {
  const reached = new Set(modules.has(SCHEMAS) ? [SCHEMAS] : []);
  for (const path of reached)
    for (const edge of modules.get(path).imports)
      if (!edge.typeOnly && modules.has(fileOf(edge))) reached.add(fileOf(edge));
  return reached;
}

function memberOf(path) {
  const [, family, member] =
    path.match(/^(.*\/(?:methods|members|providers|destinations|rotation\/types|apps))\/([^/.]+)/) ?? [];
  return [family, member];
}

// Rules about modules

function nameRule({ path, package: owner }) {
  const names = relative(owner, path).split('/');
  const vague = names.map((name) => name.split('.')[0]).find((name) => /^(.*-)?(utils?|helpers?|common)$/.test(name));
  return vague ? [`${path}: "${vague}" says nothing: a function lives with the idea that it serves`] : [];
}

/** Each cycle of imports is one problem. Entities that import one another only as types form no cycle at run time. */
function cycleRule(modules) {
  const next = ({ path, imports }) =>
    imports
      .filter((edge) => modules.has(edge.target) && !(edge.typeOnly && isEntity(path) && isEntity(edge.target)))
      .map((edge) => edge.target);
  return rings(new Map([...modules].map(([path, module]) => [path, next(module)]))).map(
    (ring) => `${ring[0]}: imports itself: ${[...ring, ring[0]].join(' → ')}`,
  );
}

/** One shortest cycle for each strongly connected component of the graph, found by Tarjan's algorithm. */
function rings(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const knots = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const to of graph.get(node)) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== order.get(node)) return;
    const knot = stack.splice(stack.indexOf(node));
    if (knot.length > 1 || graph.get(node).includes(node)) knots.push(knot);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return knots.map((knot) => shortestRing(graph, knot.toSorted()));
}

function shortestRing(graph, [start, ...others]) {
  const known = new Set([start, ...others]);
  const paths = [[start]];
  for (const path of paths) {
    for (const to of graph.get(path.at(-1))) {
      if (to === start) return path;
      if (known.delete(to)) paths.push([...path, to]);
    }
  }
}

// Reading

function readModules(root) {
  const paths = globSync(['{packages,apps}/*/{src,test}/**/*.{ts,tsx,mts}', '{bench,examples}/**/*.{ts,mts}'], {
    cwd: root,
    exclude: (path) => basename(path) === 'node_modules' || basename(path) === 'dist',
  });
  return new Map(paths.toSorted().map((path) => [path, readModule(root, path)]));
}

function readModule(root, path) {
  const [top, second] = path.split('/');
  const module = { path, package: /^(packages|apps)$/.test(top) ? `${top}/${second}` : top, exempt: isExempt(path) };
  const text = readFileSync(join(root, path), 'utf8');
  const { program, errors } = parseSync(path, text);
  if (errors.length) throw new Error(`${path} cannot be read: ${errors[0].message}`);

  module.imports = [];
  const add = (source, typeOnly) => {
    const specifier = literal(source);
    const target = specifier?.startsWith('.') ? relative(root, resolve(root, dirname(path), specifier)) : undefined;
    const line = text.slice(0, source.start).split('\n').length;
    module.imports.push({ from: module, specifier, target, typeOnly, line });
  };
  // `import { type A }` still loads the module when it runs: only `import type` is a type import.
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => node.source && add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(program);
  return module;
}

function literal(source) {
  if (source.type === 'TemplateLiteral' && source.quasis.length === 1) return source.quasis[0].value.cooked;
  return typeof source.value === 'string' ? source.value : null;
}

const inside = (path, folder) => path.startsWith(`${folder}/`);
const isEntity = (path) => path.endsWith('.entity.ts');
const isExempt = (path) => /\.test\.tsx?$|\/testing\/|^apps\/[^/]+\/test\/|\/examples\.ts$/.test(path);
const place = ({ from, line }) => `${from.path}:${line}`;

if (import.meta.main) {
  const { modules, imports, problems } = checkBoundaries(resolve(import.meta.dirname, '..'));
  if (modules < expected.modules || imports < expected.imports) {
    problems.push(`fewer than the ${expected.modules} modules and ${expected.imports} imports that are known to exist`);
  }
  for (const problem of problems) console.error(problem);
  console.log(`${modules} modules, ${imports} imports, ${problems.length} problems`);
  process.exitCode = problems.length ? 1 : 0;
}
