import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Part } from '../../ui/detail.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { Pager, usePage } from '../../ui/pager.tsx';
import { Queried } from '../../ui/query.tsx';
import { choicePart } from '../../ui/schema-form/choice-part.tsx';
import { FormContext } from '../../ui/schema-form/context.ts';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AUTHORITY, useAuthorities } from './authorities-of.ts';
import { useCertificateOptions } from './parts.tsx';
import { CertificateTabs } from './tabs.ts';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Collection = Outputs['certificateCollections']['get'];

const collections: Kind<Collection> = {
  what: texts.collection,
  title: texts.certificateCollections,
  lead: texts.certificatesAndAuthoritiesThatBelong,
  empty: texts.thereIsNoCollection,
  area: 'certificateCollections',
  subject: 'pki-collections',
  path: '/projects/$projectId/certificates/collections',
  Tabs: CertificateTabs,
  useRows: ({ projectId }) =>
    useQuery({
      ...ask('certificateCollections', 'list', { projectId }),
      select: ({ collections: rows }) => ({ rows }),
    }),
  useRow: (collectionId) => useQuery(ask('certificateCollections', 'get', { collectionId })),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ collectionId: id }),
  aboutOf: ({ id }) => ({ pkiCollectionId: id }),
  columns: [
    { title: words.description, cell: ({ description }) => description },
    { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
  factsOf: ({ description, createdAt }) => [
    [words.description, description],
    [words.created, <Time key="created" at={createdAt} />],
  ],
  form: { affects: ['certificateCollections'] },
  deletion: texts.itsAlertsAreDeleted,
  More: Items,
};

interface OfCollection {
  readonly of: Collection;
}

const PAGE = 25;

function Items({ of: { id: collectionId, projectId } }: OfCollection) {
  const page = usePage(PAGE);
  const may = useProjectRights(projectId);
  const found = useQuery(ask('certificateCollections', 'listItems', { collectionId, ...page }));
  const remove = useChange('certificateCollections', 'removeItem');
  return (
    <Part title={texts.whatIsInIt}>
      {may('pki-collections', 'create') && (
        <p>
          <AddItem collectionId={collectionId} />
        </p>
      )}
      <Queried query={found}>
        {({ collectionItems, totalCount }) => (
          <>
            <Table
              label={texts.whatIsInCollection}
              rows={collectionItems}
              keyOf={({ id }) => id}
              empty={texts.nothingIsInItYet}
              columns={[
                {
                  title: words.name,
                  cell: ({ type, itemId, friendlyName }) => (
                    <Link
                      to={type === 'ca' ? AUTHORITY : '/projects/$projectId/certificates/$id'}
                      params={{ projectId, id: itemId }}
                    >
                      {friendlyName || itemId}
                    </Link>
                  ),
                },
                { title: words.type, cell: ({ type }) => (type === 'ca' ? words.authority : words.certificate) },
                { title: words.ends, cell: ({ notAfter }) => <Time at={notAfter} /> },
                {
                  title: words.actions,
                  cell: ({ id, friendlyName }) =>
                    may('pki-collections', 'delete') && (
                      <Act
                        label={words.remove}
                        run={() => remove.mutateAsync({ collectionId, collectionItemId: id })}
                        done={texts.isRemoved(friendlyName || texts.item)}
                      />
                    ),
                },
              ]}
            />
            <Pager {...page} total={totalCount} />
          </>
        )}
      </Queried>
    </Part>
  );
}

/** Certificates, or authorities: as the form says. */
function useItems() {
  const { entered } = useContext(FormContext);
  const certificates = useCertificateOptions();
  const { data = [] } = useAuthorities();
  return entered['type'] === 'ca' ? data.map(({ id, name }) => ({ value: id, label: name })) : certificates;
}

const PARTS = { itemId: choicePart({ label: words.what, useOptions: useItems, isNeeded: true }) };

const AddItem = ({ collectionId }: { readonly collectionId: string }) => (
  <FormButton label={words.add} title={texts.addToCollection}>
    {(close) => (
      <OperationForm
        area="certificateCollections"
        procedure="addItem"
        given={{ collectionId }}
        initial={{ type: 'certificate' }}
        parts={PARTS}
        submit={words.add}
        {...formEnd(close, texts.itIsInCollection)}
      />
    )}
  </FormButton>
);

export const Screen = () => <KindList of={collections} />;
export const One = () => <KindDetail of={collections} />;
