import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useOrganizationId, useOrganizationRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { inputClass, SelectField, TextField } from '../../ui/field.tsx';
import { Named } from '../../ui/named.tsx';
import { Badge } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useOrganizationRoles, useRoleName } from '../access/project-roles.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Membership = Outputs['identities']['listMemberships']['identityMemberships'][number];
const PAGE = 50;

/** The machine identities of the organization. */
export function Screen() {
  const [{ q = '', from = '0', new: isNew }, go] = useAddress();
  const orgId = useOrganizationId();
  const offset = Number.parseInt(from, 10) || 0;
  const found = useQuery({
    ...ask('identities', 'listMemberships', { orgId, limit: PAGE, offset, ...(q && { search: q }) }),
    placeholderData: (before) => before,
  });
  const may = useOrganizationRights();
  return (
    <Page
      title={words.machineIdentities}
      lead={texts.accountsOfPrograms}
      actions={
        may('identity', 'create') && (
          <Button kind="primary" onClick={() => go({ new: 'identity' })}>
            <Plus size={16} aria-hidden /> {texts.newMachineIdentity}
          </Button>
        )
      }
    >
      <p>
        <input
          className={inputClass()}
          type="search"
          aria-label={texts.searchMachineIdentities}
          placeholder={texts.searchByName}
          value={q}
          onChange={(event) => go({ q: event.target.value, from: undefined }, { replace: true })}
        />
      </p>
      <Queried query={found}>
        {({ identityMemberships, totalCount }) => (
          <>
            <Identities of={identityMemberships} isSearch={q !== ''} />
            <div className={access['buttons']}>
              {offset > 0 && (
                <Button onClick={() => go({ from: String(Math.max(0, offset - PAGE)) })}>
                  {texts.previousPage(PAGE)}
                </Button>
              )}
              {offset + PAGE < totalCount && (
                <Button onClick={() => go({ from: String(offset + PAGE) })}>{texts.nextPage(PAGE)}</Button>
              )}
            </div>
          </>
        )}
      </Queried>
      {isNew && <NewIdentity onClose={() => go({ new: undefined })} />}
    </Page>
  );
}

function Identities({ of: rows, isSearch }: { readonly of: readonly Membership[]; readonly isSearch: boolean }) {
  const nameOfRole = useRoleName();
  return (
    <Table
      label={words.machineIdentities}
      rows={rows}
      keyOf={({ id }) => id}
      empty={isSearch ? texts.noneHasThisName : texts.thereIsNoneYet}
      columns={[
        {
          title: words.name,
          cell: ({ identity }) => (
            <Named id={identity.id}>
              <Link to="/organization/identities/$identityId" params={{ identityId: identity.id }}>
                {identity.name}
              </Link>
            </Named>
          ),
        },
        { title: words.roleInTheOrganization, cell: ({ customRole, role }) => customRole?.name ?? nameOfRole(role) },
        {
          title: texts.loginMethods,
          cell: ({ identity: { authMethods } }) =>
            authMethods.length === 0 ? <Badge kind="warn">{texts.noneItCannotLog}</Badge> : authMethods.join(', '),
        },
        { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

function NewIdentity({ onClose }: { readonly onClose: () => void }) {
  const organizationId = useOrganizationId();
  const roles = useOrganizationRoles();
  const [name, setName] = useState('');
  const [role, setRole] = useState('no-access');
  const planned = usePlannedChange('identities', 'create');
  const navigate = useNavigate();
  return (
    <Dialog title={texts.newMachineIdentity} onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={name.trim() ? { organizationId, name: name.trim(), role } : undefined}
        submit={words.create}
        onCancel={onClose}
        onDone={({ identity }) => {
          toast(texts.isCreated(identity.name));
          navigate({ to: '/organization/identities/$identityId', params: { identityId: identity.id } }).catch(
            () => undefined,
          );
        }}
      >
        <TextField
          label={words.name}
          required
          autoFocus
          maxLength={255}
          hint={texts.afterWhatUsesIt}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.roleInTheOrganization}
          hint={texts.programsThatOnlyRead}
          value={role}
          onChange={(event) => setRole(event.target.value)}
        >
          {roles.map(({ slug, name: title }) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </SelectField>
      </PlannedForm>
    </Dialog>
  );
}
