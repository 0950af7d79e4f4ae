import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { Button } from '../../ui/button.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { NotAllowed } from '../../ui/note.tsx';
import { Loading, Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';
import { Remove } from '../access/remove.tsx';
import { RoleEditor, RulesList } from './role-editor.tsx';
import type { Role, RoleScope } from './scope.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface RoleProps {
  readonly scope: RoleScope;
  /** Of an existing one. */
  readonly slug: string | undefined;
}

/** One role, or a new one. */
export const RolePage = ({ scope, slug }: RoleProps) => (
  <Page
    title={slug ? texts.roleSlug(slug) : texts.newRole}
    actions={
      <Link to={scope.roles} params={scope.params}>
        {texts.allRoles}
      </Link>
    }
  >
    {slug ? (
      <Queried query={scope.found}>
        {({ role }) => (
          <>
            {role.id !== role.slug && <EventsLink of={{ about: { roleId: role.id } }} />}
            {role.id === role.slug || !scope.may('role', 'edit') ? (
              <>
                <p>{role.description}</p>
                <RulesList rules={role.permissions} />
              </>
            ) : (
              <Edit scope={scope} role={role} />
            )}
          </>
        )}
      </Queried>
    ) : (
      <New scope={scope} />
    )}
  </Page>
);

function New({ scope: { catalogue, create, may } }: Pick<RoleProps, 'scope'>) {
  const [, go] = useAddress();
  if (!may('role', 'create')) return <NotAllowed what={texts.createRoles} action="create" subject="role" />;
  if (catalogue.size === 0) return <Loading />;
  return (
    <RoleEditor
      catalogue={catalogue}
      planned={create}
      toInput={(role) => role}
      onDone={({ role }) => {
        toast(texts.roleIsCreated(role.name));
        go({ slug: role.slug });
      }}
    />
  );
}

function Edit({ scope, role }: { readonly scope: RoleScope; readonly role: Role }) {
  const { catalogue, update, remove, may, roles, params } = scope;
  const navigate = useNavigate();
  const [, go] = useAddress();
  const [isRemoving, setRemoving] = useState(false);
  if (catalogue.size === 0) return <Loading />;
  return (
    <>
      <RoleEditor
        key={role.updatedAt}
        role={role}
        catalogue={catalogue}
        planned={update}
        toInput={(edited) => ({ roleId: role.id, ...edited })}
        onDone={({ role: saved }) => {
          toast(texts.roleIsSaved);
          if (saved.slug !== role.slug) go({ slug: saved.slug }, { replace: true });
        }}
      >
        {may('role', 'delete') && (
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {texts.deleteThisRole}
          </Button>
        )}
      </RoleEditor>
      {isRemoving && (
        <Remove
          title={texts.deleteRole(role.name)}
          submit={words.delete}
          planned={remove}
          input={{ roleId: role.id }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(texts.roleIsDeleted(role.name));
            navigate({ to: roles, params }).catch(() => undefined);
          }}
        >
          {texts.roleThatSomebodyHasCannot}
        </Remove>
      )}
    </>
  );
}
