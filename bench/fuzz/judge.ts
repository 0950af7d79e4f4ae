import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Document, Operation } from './document.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const JSON_TYPE = 'application/json';

/** The faults of a response: a 5xx, an undocumented status, a body that does not match its schema. */
export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false, logger: false });
  readonly #document: Document;
  readonly #compiled = new Map<string, ValidateFunction | undefined>();

  constructor(document: Document) {
    this.#document = document;
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'document');
  }

  /** `undefined` for an answer in order. */
  faultOf(operation: Operation | undefined, { status, type, text }: Answer): string | undefined {
    if (status >= 500) return 'an answer of 5xx';
    if (type.startsWith(JSON_TYPE)) {
      try {
        JSON.parse(text);
      } catch {
        return 'a body that is no JSON';
      }
    }
    if (!operation || status === 304) return undefined;
    const documented = operation.described.responses[status];
    if (!documented) return `a status that is not documented`;
    if (!type.startsWith(JSON_TYPE))
      return this.#isListed(operation, status, type) ? undefined : `an undocumented media type: ${type}`;
    const validate = this.#validator(operation, status);
    if (!validate || validate(JSON.parse(text))) return undefined;
    const [error] = validate.errors ?? [];
    return `a body that does not match its schema: ${error?.instancePath} ${error?.message}`;
  }

  #resolve({ described }: Operation, status: number) {
    const response = described.responses[status]!;
    return response.$ref ? this.#document.components.responses[response.$ref.split('/').at(-1)!]! : response;
  }

  #isListed(operation: Operation, status: number, type: string): boolean {
    const media = Object.keys(this.#resolve(operation, status).content ?? {});
    return media.some((one) => type.startsWith(one));
  }

  #validator(operation: Operation, status: number): ValidateFunction | undefined {
    const { method, url, described } = operation;
    const own = described.responses[status]!.$ref;
    const pointer = own ?? `#/paths/${url.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
    if (!this.#compiled.has(pointer)) {
      const schema = this.#resolve(operation, status).content?.[JSON_TYPE]?.schema;
      const ref = `document${pointer.replace(/[{}]/g, encodeURIComponent)}/content/application~1json/schema`;
      this.#compiled.set(pointer, schema && this.#ajv.compile({ $ref: ref }));
    }
    return this.#compiled.get(pointer);
  }
}
