import { Disclosure } from '../../ui/disclosure.tsx';
import { Badge } from '../../ui/note.tsx';
import styles from './api-reference.module.css';
import { Method } from './contents.tsx';
import { answerOf, bodyOf, othersOf, type Operation, type Reference } from './document.ts';
import { Prose } from './prose.tsx';
import { Field, SchemaView } from './schema-view.tsx';
import { Try } from './try.tsx';
import { texts } from './texts.ts';

/** One operation: what it does and needs, what it takes, what it answers, and a way to try it. */
export function OperationView({ of: operation, api }: { readonly of: Operation; readonly api: Reference }) {
  const { method, path, description, deprecated, parameters = [] } = operation;
  const body = bodyOf(operation)?.schema;
  const answer = answerOf(operation);
  return (
    <>
      <p className={styles['address']}>
        <Method of={method} /> <code>{path}</code> {deprecated && <Badge kind="warn">{texts.deprecated}</Badge>}
      </p>
      {description && <Prose text={description} />}
      {parameters.length > 0 && (
        <section>
          <h2>{texts.parameters}</h2>
          <dl className={styles['fields']}>
            {parameters.map(({ name, in: place, required = false, schema = {}, description: words }) => (
              <Field
                key={`${place} ${name}`}
                {...{ name, place, named: api.schemas, isRequired: required }}
                schema={words ? { ...schema, description: words } : schema}
              />
            ))}
          </dl>
        </section>
      )}
      {body && (
        <section>
          <h2>{texts.body}</h2>
          <SchemaView schema={body} named={api.schemas} />
        </section>
      )}
      {answer && (
        <section>
          <h2>{texts.answer}</h2>
          <SchemaView schema={answer} named={api.schemas} isAnswer />
        </section>
      )}
      <Disclosure title={texts.errorsAndOtherAnswers}>
        {() => (
          <dl className={styles['statuses']}>
            {othersOf(operation, api).map(({ status, description: words }) => (
              <div key={status}>
                <dt>{status}</dt>
                <dd>
                  <Prose text={words} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Disclosure>
      <Try key={operation.operationId} of={operation} />
    </>
  );
}
