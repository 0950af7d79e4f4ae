import type { OpenApiDocument } from '@coffer/api';
import { areaSlug, type Entry, type Parameter, type Schema } from './catalogue.ts';
import { html, prose, type Html } from './html.ts';

const frame = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/api/docs/style.css" />
        <script src="/api/docs/search.js" defer></script>
      </head>
      <body>
        <header>
          <a class="home" href="/api/docs">Coffer API</a
          ><input
            id="search"
            type="search"
            placeholder="Search operations"
            aria-label="Search operations"
            autocomplete="off"
          /><a href="/api/docs/json">OpenAPI</a>
        </header>
        <main>${content}</main>
      </body>
    </html> `.text;

/** All operations, one line each, by area. */
export function indexPage(areas: ReadonlyMap<string, readonly Entry[]>, version: string): string {
  const line = (entry: Entry) => {
    const { method, path, area, operation } = entry;
    return html`<li
      data-words="${`${method} ${path} ${operation.summary ?? ''} ${operation['x-coffer-permission'] ?? ''}`.toLowerCase()}"
    >
      <a href="/api/docs/areas/${areaSlug(area)}#${operation.operationId}"
        ><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code> <span>${operation.summary}</span></a
      >
    </li>`;
  };
  const sections = [...areas].map(
    ([area, entries]) =>
      html`<section>
        <h2><a href="/api/docs/areas/${areaSlug(area)}">${area}</a></h2>
        <ul class="operations">
          ${entries.map(line)}
        </ul>
      </section>`,
  );
  const count = [...areas.values()].reduce((sum, entries) => sum + entries.length, 0);
  return frame(
    'Coffer API',
    html`<p class="lead">
        Version ${version}, ${count} operations. Send a token with each call:
        <code>Authorization: Bearer &lt;token&gt;</code>.
      </p>
      ${sections}`,
  );
}

/** The operations of one area with their inputs and outputs. */
export function areaPage(area: string, entries: readonly Entry[], document: OpenApiDocument): string {
  const schemas = new Schemas(document);
  return frame(
    `${area} · Coffer API`,
    html`<h1>${area}</h1>
      ${entries.map((entry) => operationSection(entry, schemas, document.servers?.[0]?.url ?? ''))}`,
  );
}

function operationSection({ method, path, operation }: Entry, schemas: Schemas, server: string): Html {
  const parameters = (operation.parameters ?? []) as Parameter[];
  const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  const media = body?.content['application/json'];
  const success = operation.responses?.['200'] as { content?: Record<string, { schema?: Schema }> } | undefined;
  const answer = success?.content?.['application/json']?.schema;
  const words = `${method} ${path} ${operation.summary ?? ''}`.toLowerCase();
  return html`<article id="${operation.operationId}" data-words="${words}">
    <h2><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></h2>
    <p class="summary">${operation.summary}${operation.deprecated && html` <em>(deprecated)</em>`}</p>
    ${prose(operation.description ?? '')}
    ${
      parameters.length > 0 &&
      html`<h3>Parameters</h3>
        <dl>
          ${parameters.map((one) => field(one.name, one.schema ?? {}, one.required === true, schemas, one.in, one.description))}
        </dl>`
    }
    ${
      media?.schema &&
      html`<h3>Body</h3>
        ${schemas.show(media.schema as Schema)}`
    }
    ${
      answer &&
      html`<h3>Answer</h3>
        ${schemas.asAnswer().show(answer)}`
    }
    <h3>Example</h3>
    <pre><code>${curl(method, `${server}${path}`, operation, media?.example, parameters)}</code></pre>
  </article>`;
}

/** A command that can be pasted into a shell. */
function curl(
  method: string,
  url: string,
  operation: Entry['operation'],
  example: unknown,
  parameters: readonly Parameter[],
): string {
  const query = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${name}=…`);
  const isPublic = operation.security?.length === 0;
  const body = example === undefined ? undefined : JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}${query.length > 0 ? `?${query.join('&')}` : ''}'`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d '${body}'`]),
  ].join(' \\\n  ');
}

function field(
  name: string,
  schema: Schema,
  isRequired: boolean,
  schemas: Schemas,
  place?: string,
  description?: string,
): Html {
  const known = schemas.resolve(schema);
  const text = description ?? schemas.describe(schema);
  const inner = schemas.fields(known);
  return html`<dt>
      <code>${name}</code>
      <span class="type">${schemas.typeOf(schema)}</span
      >${place && html` <span class="place">in ${place}</span>`}${isRequired && html` <span class="required">required</span>`}
    </dt>
    <dd>
      ${text && html`<p>${text}</p>`}${schemas.limits(known)}${
        inner &&
        html`<details>
          <summary>fields</summary>
          ${inner}
        </details>`
      }
    </dd>`;
}

const DEPTH = 5;

/** Renders schemas, resolving references in the document. */
class Schemas {
  readonly #document: OpenApiDocument;
  readonly #named: Readonly<Record<string, Schema>>;
  readonly #isInput: boolean;
  #depth = 0;

  constructor(document: OpenApiDocument, isInput = true) {
    this.#document = document;
    this.#named = (document.components?.schemas ?? {}) as Record<string, Schema>;
    this.#isInput = isInput;
  }

  /** Of an answer nothing is required of the reader. */
  asAnswer(): Schemas {
    return new Schemas(this.#document, false);
  }

  resolve(schema: Schema): Schema {
    const named = schema.$ref === undefined ? undefined : this.#named[schema.$ref.split('/').at(-1) ?? ''];
    return named ? this.resolve(named) : schema;
  }

  show(schema: Schema): Html {
    return this.fields(this.resolve(schema)) ?? html`<p><span class="type">${this.typeOf(schema)}</span></p>`;
  }

  describe(schema: Schema): string | undefined {
    const known = this.resolve(schema);
    const first = this.#choices(known)[0];
    return known.description ?? (first && this.resolve(first).description);
  }

  /** The fields of an object, of list elements, or of the members of a union. */
  fields(schema: Schema): Html | undefined {
    if (this.#depth > DEPTH) return undefined;
    this.#depth++;
    try {
      const { properties, items, required = [] } = schema;
      if (properties) {
        const all = Object.entries(properties as Record<string, Schema>);
        return all.length === 0
          ? undefined
          : html`<dl>
              ${all.map(([name, one]) => field(name, one, this.#isInput && required.includes(name), this))}
            </dl>`;
      }
      if (items) return this.fields(this.resolve(items as Schema));
      const choices = this.#choices(schema).flatMap((one) => this.fields(this.resolve(one)) ?? []);
      return choices.length === 0 ? undefined : html`${choices}`;
    } finally {
      this.#depth--;
    }
  }

  typeOf(schema: Schema): string {
    const { type, items, format, enum: values, const: value, ...rest } = this.resolve(schema);
    if (value !== undefined) return JSON.stringify(value);
    if (values) return values.map((one) => JSON.stringify(one)).join(' | ');
    const choices = [...(rest.anyOf ?? []), ...(rest.oneOf ?? [])] as Schema[];
    if (choices.length > 0) return [...new Set(choices.map((one) => this.typeOf(one)))].join(' | ');
    if (items) return `list of ${this.typeOf(items as Schema)}`;
    const name = type === undefined ? 'any' : [type].flat().join(' | ');
    return format ? `${name} (${format})` : name;
  }

  limits(schema: Schema): Html | undefined {
    const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, default: standard } = schema;
    const facts = Object.entries({
      minimum,
      maximum,
      minLength,
      maxLength,
      minItems,
      maxItems,
      pattern,
      default: standard,
    })
      .filter(([, value]) => value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
      .map(
        ([name, value]) => `${name} ${typeof value === 'string' && name === 'pattern' ? value : JSON.stringify(value)}`,
      );
    return facts.length === 0 ? undefined : html`<p class="limits">${facts.join(', ')}</p>`;
  }

  #choices({ anyOf, oneOf, allOf }: Schema): Schema[] {
    return [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])] as Schema[];
  }
}
