import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import styles from './api-reference.module.css';
import { Contents } from './contents.tsx';
import { reference, type Reference } from './document.ts';
import { OperationView } from './operation.tsx';
import { texts } from './texts.ts';

/** The whole API, to read and to try. Open to everybody, as the OpenAPI document is. */
export function Screen() {
  const { operationId } = useParams({ strict: false });
  const api = useQuery(reference);
  const title = (operationId && api.data?.operations.get(operationId)?.summary) || texts.apiReference;
  return (
    <Page
      title={title}
      lead={operationId && <Link to="/api/docs">{texts.apiReference}</Link>}
      actions={<a href="/api/docs/json">{texts.openApi}</a>}
    >
      <Queried query={api}>{(data) => <Parts api={data} operationId={operationId} />}</Queried>
    </Page>
  );
}

function Parts({ api, operationId }: { readonly api: Reference; readonly operationId: string | undefined }) {
  const chosen = operationId === undefined ? undefined : api.operations.get(operationId);
  // Another operation is read from its beginning.
  useEffect(() => {
    document.getElementById('main')?.scrollTo(0, 0);
  }, [operationId]);
  return (
    <div className={styles['parts']}>
      <Contents of={api} chosen={chosen} />
      <article className={styles['operation']}>
        {chosen ? <OperationView of={chosen} api={api} /> : <Overview of={api} unknown={operationId} />}
      </article>
    </div>
  );
}

const Overview = ({
  of: { version, lead, operations },
  unknown,
}: {
  readonly of: Reference;
  readonly unknown: string | undefined;
}) => (
  <>
    {unknown !== undefined && <Note kind="warn">{texts.thereIsNoOperation(unknown)}</Note>}
    <p>{lead}</p>
    <p>
      {texts.versionHasOperations(
        version,
        operations.size,
        <code>Authorization: Bearer &lt;token&gt;</code>,
        <Link to="/api/docs/$operationId" params={{ operationId: 'universalAuth_logIn' }}>
          {texts.universalAuth}
        </Link>,
      )}
    </p>
    <p>{texts.typedClientHasAllOfThem(<code>@coffer/client</code>, <code>/api/docs/json</code>)}</p>
  </>
);
