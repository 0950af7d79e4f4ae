import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { EventsLink } from '../../ui/events-link.tsx';
import { Queried } from '../../ui/query.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { addressBeside, nameOf } from '../access/person.ts';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { nameOfProjectRole, useOrganizationRoles } from '../access/project-roles.ts';
import { Remove } from '../access/remove.tsx';
import type { Member } from './member.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface PanelProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** One member of the organization. */
export function MemberPanel({ member, onClose }: PanelProps) {
  const { id, orgId, user, status } = member;
  const may = useOrganizationRights();
  const remove = usePlannedChange('organizationMembers', 'remove');
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Dialog title={nameOf(user)} look="side" onClose={onClose}>
      <p>{addressBeside(user)}</p>
      <p>
        <Link to="/organization/effective" search={{ user: user.id }}>
          {texts.whatMayDoInOrganization(nameOf(user))}
        </Link>
      </p>
      <p>
        <EventsLink of={{ actor: user.id }}>{texts.whatHasDone(nameOf(user))}</EventsLink>
      </p>
      {may('member', 'edit') && <Role key={member.updatedAt} member={member} />}
      <Projects member={member} />
      <div className={access['buttons']}>
        {status === 'invited' && may('member', 'create') && <NewLink membershipId={id} />}
        {may('member', 'delete') && (
          <Button kind="danger" onClick={() => setRemoving(true)}>
            {texts.removeFromOrganization}
          </Button>
        )}
      </div>
      {isRemoving && (
        <Remove
          title={texts.removeName(nameOf(user))}
          submit={words.remove}
          planned={remove}
          input={{ organizationId: orgId, membershipId: id }}
          onClose={() => setRemoving(false)}
          onDone={() => {
            toast(texts.isRemovedFromOrganization(nameOf(user)));
            onClose();
          }}
        >
          {texts.losesAllAccessToThisOrganization(nameOf(user))}
        </Remove>
      )}
    </Dialog>
  );
}

function Role({ member: { id, orgId, role, roleId, isActive } }: { readonly member: Member }) {
  const roles = useOrganizationRoles();
  const planned = usePlannedChange('organizationMembers', 'update', {
    common: { organizationId: orgId, membershipId: id },
  });
  const present = roles.find((one) => (roleId ? one.id === roleId : one.slug === role))?.slug ?? role;
  const [changed, setChanged] = useState<string>();
  const [active, setActive] = useState(isActive);
  const slug = changed ?? present;
  const isSame = slug === present && active === isActive;
  return (
    <PlannedForm
      planned={planned}
      input={
        isSame
          ? undefined
          : { ...(slug !== present && { role: slug }), ...(active !== isActive && { isActive: active }) }
      }
      submit={words.save}
      onDone={() => toast(texts.memberIsSaved)}
    >
      <SelectField
        label={words.roleInTheOrganization}
        value={slug}
        onChange={(event) => setChanged(event.target.value)}
      >
        {!roles.some((one) => one.slug === slug) && <option value={slug}>{slug}</option>}
        {roles.map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
      </SelectField>
      <CheckField
        label={texts.activeWithoutItThey}
        checked={active}
        onChange={(event) => setActive(event.target.checked)}
      />
    </PlannedForm>
  );
}

function Projects({ member: { id, orgId } }: { readonly member: Member }) {
  const projects = useQuery(ask('organizationMembers', 'projects', { organizationId: orgId, membershipId: id }));
  return (
    <section className={access['section']}>
      <h3>{words.projects}</h3>
      <Queried query={projects}>
        {({ memberships }) =>
          memberships.length === 0 ? (
            <p>{texts.inNoneByThemselves}</p>
          ) : (
            <ul>
              {memberships.map(({ id: membershipId, project, roles }) => (
                <li key={membershipId}>
                  <Link
                    to="/projects/$projectId/access"
                    params={{ projectId: project.id }}
                    search={{ member: membershipId }}
                  >
                    {project.name}
                  </Link>
                  : {roles.map(nameOfProjectRole).join(', ')}
                </li>
              ))}
            </ul>
          )
        }
      </Queried>
    </section>
  );
}

/** Links are for one person, and shown once. */
function NewLink({ membershipId }: { readonly membershipId: string }) {
  const [link, setLink] = useState<{ email: string; link: string }>();
  const send = async () => {
    const { signupToken } = await coffer.invitations.resend.mutate({ membershipId });
    if (signupToken) setLink(signupToken);
    else toast(texts.newInvitationIsOnItsWay);
  };
  return (
    <>
      <Act label={texts.inviteAgain} run={send} />
      {link && (
        <ShownOnce
          title={words.invitation}
          note={texts.giveThisLinkToOnly(link.email)}
          values={[[texts.link, link.link]]}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  );
}
