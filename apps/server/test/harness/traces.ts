import type { OpenApiDocument, Operation } from '@coffer/api';
import type { Pool } from 'pg';
import type { Answer } from './test-server.ts';

/** Names of fields of answers that have values of secrets, or credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...['accessToken', 'apiKey', 'bindPass', 'clientSecret', 'code', 'data', 'eabSecret', 'inputs', 'link', 'passphrase'],
  ...['password', 'plaintext', 'privateKey', 'randomBytes', 'refreshToken', 'secretAccessKey', 'secretComment'],
  ...['secretValue', 'serviceToken', 'token', 'tokenReviewerJwt', 'url', 'value', 'webhookUrl', 'generatedSecret'],
  ...['credential', 'credentials', 'secret', 'otp', 'totp', 'seed', 'key'],
]);

/** Fields with such names that are neither, by their path: what they are instead. */
const OTHERS: readonly (readonly [field: RegExp, what: string])[] = [
  [
    /(^|\.)(metadata|secretMetadata|tags|secretAWSTag|allowedFields|subjectAltNames|excluded|permitted|filters)\.(key|value)$/,
    'labels and names',
  ],
  [/(^|\.)tree\.key$|^key$|\.key$/, 'names'],
  [/(secretsMapping|fieldMappings)\.\w+$/, 'names of secrets'],
  [/(^|\.)errors?\.code$/, 'codes of errors'],
  [/(integrationAuth|authorizations|integrations?|identityLdapAuth|appConnections?\.credentials)\.url$/, 'addresses'],
  [/appConnections?\.credentials\.passphrase$/, 'always empty'],
];

type Schema = {
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
} & Partial<Record<'anyOf' | 'oneOf' | 'allOf', Schema[]>>;

/** The fields of an operation's answers that may have credentials, and the types of answers that are not JSON. */
export function credentialsIn({ url, method }: Operation, document: OpenApiDocument): string[] {
  const responses: Record<string, { content?: Record<string, { schema?: Schema }> }> | undefined =
    document.paths?.[url]?.[method.toLowerCase() as 'get']?.responses;
  const content = responses?.['200']?.content ?? {};
  const { schemas = {} } = document.components ?? {};
  const found = new Set(Object.keys(content).filter((type) => type !== 'application/json'));
  const walk = (schema: Schema | undefined, path: readonly string[], above: ReadonlySet<string>): void => {
    if (!schema) return;
    const { $ref } = schema;
    if ($ref !== undefined) {
      if (!above.has($ref)) walk(schemas[$ref.split('/').at(-1)!], path, new Set([...above, $ref]));
      return;
    }
    const name = path.at(-1) ?? '';
    const field = path.join('.');
    if (CREDENTIALS.has(name) && isText(schema) && !OTHERS.some(([pattern]) => pattern.test(field))) found.add(field);
    for (const some of [schema.anyOf, schema.oneOf, schema.allOf]) for (const one of some ?? []) walk(one, path, above);
    walk(schema.items, path, above);
    for (const [below, one] of Object.entries(schema.properties ?? {})) walk(one, [...path, below], above);
  };
  walk(content['application/json']?.schema, [], new Set());
  return [...found].toSorted();
}

/** A text, or an object whose fields are not known. */
const isText = ({ type, properties, items, anyOf, oneOf, allOf }: Schema): boolean =>
  [type].flat().includes('string') ||
  ([type].flat().includes('object') && !properties) ||
  (type === undefined && !properties && !items && !anyOf && !oneOf && !allOf);

/** The texts of an answer in fields with such names. */
export function credentialsOf({ body }: Answer): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'object' && value !== null)
      for (const [field, one] of Object.entries(value)) walk(one, /^\d+$/.test(field) ? path : [...path, field]);
    else if (typeof value === 'string' && value !== '' && CREDENTIALS.has(path.at(-1)!)) {
      if (!OTHERS.some(([pattern]) => pattern.test(path.join('.')))) found.push(value);
    }
  };
  if (typeof body === 'string' && body !== '') return [body];
  walk(body, []);
  return found;
}

/** What a transaction has written. */
export interface Written {
  /** `table: columns`, without those of events. */
  readonly rows: readonly string[];
  readonly events: readonly RecordedEvent[];
}

export interface RecordedEvent {
  readonly published: string;
  readonly organization_id: string;
  readonly project_id: string | null;
  readonly actor_id: string | null;
  readonly data: object;
}

const WATCH = `
create table written (n bigserial, txid bigint, tbl text, op text, cols text, event jsonb);
create function note_written() returns trigger language plpgsql security definer as $f$
declare changed text;
begin
  if tg_op = 'UPDATE' then
    select string_agg(k, ',' order by k) into changed from jsonb_object_keys(to_jsonb(new)) k
    where to_jsonb(new) -> k is distinct from to_jsonb(old) -> k;
    if changed is null then return null; end if;
  end if;
  insert into written (txid, tbl, op, cols, event)
  values (txid_current(), tg_table_name, tg_op, changed, case when tg_table_name like 'audit_events%' then to_jsonb(new) end);
  return null;
end $f$;
do $d$ declare t text; begin
  for t in select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    and table_name <> 'written' and (table_name not like 'audit%' or table_name = 'audit_events') loop
    execute format('create trigger note_written after insert or update or delete on %I for each row execute function note_written()', t);
  end loop;
end $d$`;

/** Notes what each transaction writes, in any table. The function returns what has been written since the last call. */
export async function watchWrites(owner: Pool): Promise<() => Promise<Written[]>> {
  await owner.query(WATCH);
  return async () => {
    const { rows } = await owner.query<{
      txid: string;
      tbl: string;
      op: string;
      cols: string | null;
      event: RecordedEvent;
    }>('with gone as (delete from written returning *) select * from gone order by n');
    return [...Map.groupBy(rows, ({ txid }) => txid).values()].map((some) => ({
      rows: [
        ...new Set(some.flatMap(({ tbl, op, cols, event }) => (event ? [] : `${tbl}: ${cols ?? op.toLowerCase()}`))),
      ],
      events: some.flatMap(({ event }) => event ?? []),
    }));
  };
}
