import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, queryClient } from '../../app/ask.ts';
import { useOrganizationId } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Choose } from '../../ui/choose.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { toast } from '../../ui/toast.tsx';
import { useOrganizationRoles } from '../access/project-roles.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const addressesIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Invites people. Without a mail server, their links are shown, once. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const organizationId = useOrganizationId();
  const roles = useOrganizationRoles();
  const { data: projects } = useQuery(ask('projects', 'list', {}));
  const [text, setText] = useState('');
  const [role, setRole] = useState('member');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [links, setLinks] = useState<readonly { email: string; link: string }[]>();
  const form = useForm(async () => {
    const { completeInviteLinks } = await coffer.invitations.invite.mutate({
      organizationId,
      inviteeEmails: addressesIn(text),
      organizationRoleSlug: role,
      projects: chosen.map((id) => ({ id })),
    });
    for (const area of ['organizationMembers', 'projectMembers'])
      await queryClient.invalidateQueries({ queryKey: [area] });
    if (completeInviteLinks?.length) return setLinks(completeInviteLinks);
    toast(texts.theyAreInvited);
    onClose();
  });
  if (links)
    return (
      <ShownOnce
        title={texts.invitations}
        note={texts.thisServerSendsNoE}
        values={links.map(({ email, link }) => [email, link])}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={texts.invitePeople} onClose={onClose}>
      <form onSubmit={form.submit}>
        <TextArea
          label={texts.eMailAddresses}
          rows={3}
          required
          autoFocus
          hint={texts.oneLineOrSeparated}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <SelectField label={words.roleInTheOrganization} value={role} onChange={(event) => setRole(event.target.value)}>
          {roles.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </SelectField>
        <Choose
          label={texts.projectsAsDeveloper}
          options={(projects?.projects ?? []).map(({ id, name }) => ({ id, label: name }))}
          chosen={chosen}
          onChange={setChosen}
          empty={texts.youAreInNoProject}
        />
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {texts.invite}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
