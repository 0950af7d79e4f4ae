import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { FormButton, formEnd } from '../../ui/form-button.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import type { Authority } from './authorities-of.ts';
import { IssuedDialog, type Issued } from './issued.tsx';
import { texts } from './authorities.texts.ts';
import { words } from '../../ui/words.texts.ts';

interface OfAuthority {
  readonly of: Authority;
}

const AFFECTED = ['certificateAuthorities', 'revocation', 'certificates'] as const;
const YEAR = 365 * 86_400_000;

/** What may be done with an authority. */
export function AuthorityActions({ of: authority }: OfAuthority) {
  const { id: caId, name, projectId, status, configuration } = authority;
  const may = useProjectRights(projectId);
  const isCertified = configuration.activeCaCertId !== null;
  const mayRenew = may('certificate-authorities', 'renew');
  return (
    <>
      {status === 'active' && may('certificates', 'create') && (
        <Link
          className={buttonClass('primary')}
          to="/projects/$projectId/certificates"
          params={{ projectId }}
          search={{ new: 'authority', issuer: caId }}
        >
          {texts.issueCertificate}
        </Link>
      )}
      {isCertified && mayRenew && (
        <>
          <FormButton label={texts.renew} title={texts.renewName(name)}>
            {(close) => (
              <OperationForm
                area="certificateAuthorities"
                procedure="renew"
                given={{ caId }}
                initial={{ type: 'existing', notAfter: new Date(Date.now() + 10 * YEAR).toISOString() }}
                affects={AFFECTED}
                submit={texts.renew}
                {...formEnd(close, texts.isRenewed(name))}
              />
            )}
          </FormButton>
          <FormButton label={texts.autoRenewal} title={texts.autoRenewalOf(name)}>
            {(close) => (
              <OperationForm
                area="certificateAuthorities"
                procedure="updateAutoRenewal"
                given={{ caId }}
                initial={{ enableAutoRenewal: true, renewBeforeDays: 30 }}
                submit={words.save}
                {...formEnd(close, texts.autoRenewalIsSaved)}
              />
            )}
          </FormButton>
        </>
      )}
      {isCertified && may('certificate-authorities', 'sign-intermediate') && <SignIntermediate of={authority} />}
      {may('certificate-authorities', 'edit') && (
        <FormButton label={words.update} title={texts.updateName(name)}>
          {(close) => (
            <OperationForm
              area="certificateAuthorities"
              procedure="update"
              given={{ caId }}
              hidden={['disableDirectIssuance', 'requireTemplateForIssuance', 'configuration']}
              update={{ current: authority }}
              submit={words.save}
              {...formEnd(close, texts.isUpdated(name))}
            />
          )}
        </FormButton>
      )}
      {may('certificate-authorities', 'delete') && <Delete of={authority} />}
    </>
  );
}

/** For an intermediate elsewhere, by its CSR. */
function SignIntermediate({ of: { id: caId, name } }: OfAuthority) {
  const [signed, setSigned] = useState<Issued>();
  return (
    <>
      <FormButton label={texts.signIntermediate} title={texts.signIntermediateBy(name)}>
        {(close) => (
          <OperationForm
            area="certificateAuthorities"
            procedure="signIntermediate"
            given={{ caId }}
            initial={{ notAfter: new Date(Date.now() + 5 * YEAR).toISOString(), maxPathLength: 0 }}
            affects={AFFECTED}
            submit={texts.sign}
            onCancel={close}
            onDone={(answer) => {
              close();
              setSigned({ ...answer, certificateId: answer.serialNumber });
            }}
          />
        )}
      </FormButton>
      {signed && <IssuedDialog of={signed} onClose={() => setSigned(undefined)} />}
    </>
  );
}

function Delete({ of: { id: caId, name, projectId } }: OfAuthority) {
  const remove = useChange('certificateAuthorities', 'delete', [...AFFECTED]);
  const navigate = useNavigate();
  return (
    <Act
      label={words.delete}
      kind="danger"
      done={texts.authorityIsDeleted(name)}
      run={async () => {
        await remove.mutateAsync({ caId });
        await navigate({ to: '/projects/$projectId/certificates/authorities', params: { projectId } });
      }}
      ask={{
        title: texts.deleteAuthority(name),
        children: <p>{texts.itsKeysAreDestroyed}</p>,
      }}
    />
  );
}
