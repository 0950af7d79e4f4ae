import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ask, useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { Detail, Facts, Part } from '../../ui/detail.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { Time } from '../../ui/time.tsx';
import { EXTERNAL, type ExternalAuthority, type ExternalType } from './authorities-of.ts';
import { AuthorityStatus } from './authorities.tsx';
import { externalParts } from './external-parts.ts';
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** An authority that issues elsewhere. */
export function Screen() {
  const { type }: { type?: string } = useParams({ strict: false });
  const at = EXTERNAL.find((one) => one.type === type);
  if (at) return <Loaded at={at} />;
  return (
    <Page title={texts.externalAuthority}>
      <Note kind="bad">{texts.thereIsNoType(type ?? '')}</Note>
    </Page>
  );
}

function Loaded({ at }: { readonly at: ExternalType }) {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const found = useQuery(ask(at.area, 'get', { id }));
  return <Queried query={found}>{(one) => <External at={at} of={one} />}</Queried>;
}

interface ExternalProps {
  readonly at: ExternalType;
  readonly of: ExternalAuthority;
}

const LIST = '/projects/$projectId/certificates/authorities';

function External({ at, of: authority }: ExternalProps) {
  const { id, name, projectId, status, enableDirectIssuance, configuration, createdAt } = authority;
  const may = useProjectRights(projectId);
  return (
    <Detail
      title={name}
      events={{ about: { caId: id } }}
      back={{ label: texts.certificateAuthorities, to: LIST, params: { projectId } }}
      actions={
        <>
          {may('certificate-authorities', 'edit') && (
            <FormButton label={words.update} title={texts.updateName(name)}>
              {(close) => (
                <OperationForm
                  area={at.area}
                  procedure="update"
                  given={{ id }}
                  update={{ current: authority, partial: ['configuration'] }}
                  parts={externalParts(at.apps)}
                  submit={words.checkAndSave}
                  {...formEnd(close, texts.isUpdated(name))}
                />
              )}
            </FormButton>
          )}
          {may('certificate-authorities', 'delete') && <Delete at={at} of={authority} />}
        </>
      }
    >
      <Part title={at.title}>
        <Facts
          of={[
            [words.status, <AuthorityStatus key="status" status={status} />],
            [texts.issuesWithoutProfile, valueText(enableDirectIssuance)],
            ...Object.entries(configuration).map(([field, value]) => [labelOf(field), valueText(value)] as const),
            [words.created, <Time key="created" at={createdAt} />],
          ]}
        />
      </Part>
    </Detail>
  );
}

function Delete({ at: { area }, of: { id, name, projectId } }: ExternalProps) {
  const remove = useChange(area, 'delete');
  const navigate = useNavigate();
  return (
    <Act
      label={words.delete}
      kind="danger"
      done={texts.authorityIsDeleted(name)}
      run={async () => {
        await remove.mutateAsync({ id });
        await navigate({ to: LIST, params: { projectId } });
      }}
      ask={{ title: texts.deleteAuthority(name), children: <p>{texts.certificatesThatItHasIssued}</p> }}
    />
  );
}
