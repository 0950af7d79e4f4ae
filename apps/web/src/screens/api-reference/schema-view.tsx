import { Disclosure } from '../../ui/disclosure.tsx';
import { Badge } from '../../ui/note.tsx';
import styles from './api-reference.module.css';
import type { Schema } from './document.ts';
import { Prose } from './prose.tsx';
import { texts } from './texts.ts';

/** The schemas of the document that have names. */
type Named = Readonly<Record<string, Schema>>;

interface ViewProps {
  readonly schema: Schema;
  readonly named: Named;
  /** Of an answer nothing is required of the reader. */
  readonly isAnswer?: boolean;
}

/** A schema for reading: its fields, or its type if it has none. */
export function SchemaView({ schema, named, isAnswer = false }: ViewProps) {
  const fields = <Fields schema={schema} named={named} isAnswer={isAnswer} />;
  return hasFields(schema, named) ? (
    fields
  ) : (
    <p>
      <Type schema={schema} named={named} />
    </p>
  );
}

function Fields({ schema, named, isAnswer = false }: ViewProps) {
  const { properties, required = [], choices } = heart(schema, named);
  const all = Object.entries(properties);
  if (all.length > 0)
    return (
      <dl className={styles['fields']}>
        {all.map(([name, one]) => (
          <Field
            key={name}
            {...{ name, named, isAnswer, schema: one, isRequired: !isAnswer && required.includes(name) }}
            isOpenAtFirst={all.length === 1}
          />
        ))}
      </dl>
    );
  return choices.map((choice, index) => (
    <Disclosure key={index} title={nameOf(choice, named, index)} isOpenAtFirst={index === 0}>
      {() => <Fields schema={choice} named={named} isAnswer={isAnswer} />}
    </Disclosure>
  ));
}

interface FieldProps extends ViewProps {
  readonly name: string;
  readonly isRequired: boolean;
  readonly place?: string;
  readonly isOpenAtFirst?: boolean;
}

export function Field({ name, schema, named, isRequired, place, isAnswer, isOpenAtFirst = false }: FieldProps) {
  const known = resolve(schema, named);
  const { description = withoutNull(known, named).description } = { ...known, ...schema };
  return (
    <>
      <dt>
        <code>{name}</code> <Type schema={known} named={named} />
        {place && <span> {texts.inPlace(place)}</span>} {isRequired && <Badge kind="warn">{texts.required}</Badge>}
      </dt>
      <dd>
        {description && <Prose text={description} />}
        <Limits schema={withoutNull(known, named)} />
        {hasFields(known, named) && (
          <Disclosure title={texts.fieldsOf(name)} isOpenAtFirst={isOpenAtFirst}>
            {() => <Fields schema={known} named={named} isAnswer={isAnswer} />}
          </Disclosure>
        )}
      </dd>
    </>
  );
}

const Type = ({ schema, named }: Omit<ViewProps, 'isAnswer'>) => (
  <span className={styles['type']}>{typeOf(schema, named)}</span>
);

/** The values that it may have, its default and its limits. */
function Limits({ schema }: { readonly schema: Schema }) {
  const { enum: values = [] } = schema;
  const facts = FACTS.flatMap(([name, words]) => {
    const value = schema[name];
    const isShown = value !== undefined && value !== '' && !isObvious(name, value);
    return isShown ? [`${words} ${typeof value === 'string' ? value : JSON.stringify(value)}`] : [];
  });
  return (
    <>
      {values.length > 0 && (
        <p className={styles['limits']}>
          {texts.oneOf}{' '}
          {values.map((value) => (
            <code key={String(value)}>{String(value)}</code>
          ))}
        </p>
      )}
      {facts.length > 0 && <p className={styles['limits']}>{facts.join(', ')}</p>}
    </>
  );
}

/** That a text is not empty; that a number is one that JavaScript can write. */
const isObvious = (name: string, value: unknown) =>
  (name === 'minLength' && value === 1) || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

const FACTS = [
  ['default', texts.default],
  ['minimum', texts.atLeast],
  ['maximum', texts.atMost],
  ['minLength', texts.lengthAtLeast],
  ['maxLength', texts.lengthAtMost],
  ['minItems', texts.elementsAtLeast],
  ['maxItems', texts.elementsAtMost],
  ['pattern', texts.pattern],
] as const satisfies readonly (readonly [keyof Schema, string])[];

function resolve(schema: Schema, named: Named): Schema {
  const found = schema.$ref === undefined ? undefined : named[schema.$ref.split('/').at(-1) ?? ''];
  return found ? resolve(found, named) : schema;
}

const choicesOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf];
const isNull = ({ type }: Schema) => type === 'null';

/** A schema of which `null` is one choice, without that choice. */
function withoutNull(schema: Schema, named: Named): Schema {
  const known = resolve(schema, named);
  const others = choicesOf(known).filter((one) => !isNull(one));
  return others.length === 1 && !known.properties ? withoutNull(others[0]!, named) : known;
}

/** What has fields in a schema: itself, the elements of its list, the values of its map, or its choices. */
function heart(
  schema: Schema,
  named: Named,
): {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | undefined;
  readonly choices: readonly Schema[];
} {
  const known = withoutNull(schema, named);
  if (known.allOf) {
    const parts = known.allOf.map((part) => heart(part, named));
    return {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      required: parts.flatMap(({ required = [] }) => required),
      choices: [],
    };
  }
  if (known.properties) return { properties: known.properties, required: known.required, choices: [] };
  const inner =
    known.items ?? (typeof known.additionalProperties === 'object' ? known.additionalProperties : undefined);
  if (inner) return heart(inner, named);
  return { properties: {}, choices: choicesOf(known).filter((one) => hasFields(one, named)) };
}

/** Self-references end: a name is looked at once. */
function hasFields(schema: Schema, named: Named, depth = 0): boolean {
  if (depth > 8) return true;
  const known = withoutNull(schema, named);
  if (Object.keys(known.properties ?? {}).length > 0 || known.allOf) return true;
  const inner =
    known.items ?? (typeof known.additionalProperties === 'object' ? known.additionalProperties : undefined);
  return [...(inner ? [inner] : []), ...choicesOf(known)].some((one) => hasFields(one, named, depth + 1));
}

/** How a choice is called: by its title, or by the constants that mark it. */
function nameOf(schema: Schema, named: Named, index: number): string {
  const { title, properties = {} } = resolve(schema, named);
  const marks = Object.entries(properties).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return title ?? (marks.length > 0 ? marks.join(', ') : texts.choiceNumber(index + 1));
}

/** In words: `list of text`, `number or null`. */
function typeOf(schema: Schema, named: Named, depth = 0): string {
  const { type, items, format, enum: values, const: value, additionalProperties, ...rest } = resolve(schema, named);
  if (value !== undefined) return JSON.stringify(value);
  const choices = choicesOf(rest);
  if (choices.length > 0 && depth < 4)
    return [...new Set(choices.map((one) => typeOf(one, named, depth + 1)))].join(' or ');
  if (items) return texts.listOf(typeOf(items, named, depth + 1));
  if (typeof additionalProperties === 'object' && !rest.properties)
    return texts.mapTo(typeOf(additionalProperties, named, depth + 1));
  if (values && type === undefined) return texts.text;
  const name =
    type === undefined
      ? texts.anyValue
      : [type]
          .flat()
          .map((one) => WORDS[one] ?? one)
          .join(' or ');
  return format ? `${name} (${format})` : name;
}

const WORDS: Readonly<Record<string, string>> = { string: texts.text, integer: texts.wholeNumber };
